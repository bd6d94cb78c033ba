"""A plugin of pytest for all tests in Python: why the first attempt of a test failed."""


def pytest_terminal_summary(terminalreporter):
    """Prints why a test failed that passed on its second attempt, so that the race can be fixed."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_sep("=", f"first attempt of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
