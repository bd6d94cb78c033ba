"""A plugin of pytest for all tests in Python: why the first attempt of a test failed."""


def pytest_terminal_summary(terminalreporter):
    """Prints why the first attempt of a test failed, so that the race can be fixed. The second attempt may fail only
    because of what the first one left behind."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_sep("=", f"first attempt of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = crash.message if crash else report.longreprtext
        terminalreporter.write_line(f"RERUN {report.nodeid}\t{' '.join(reason.split())[:300]}")
