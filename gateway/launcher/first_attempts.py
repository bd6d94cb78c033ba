"""A plugin of pytest for all tests in Python: why the first attempt of a test failed."""


def pytest_configure(config):
    config.pluginmanager.register(_FirstAttempts(config))


class _FirstAttempts:
    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        """Prints why the first attempt of a test failed, so that the race can be fixed. The second attempt may fail only
        because of what the first one left behind. An interrupted run has printed it too, and workers print nothing."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.outcome != "rerun" or reporter is None:
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = crash.message if crash else report.longreprtext
        # The line of progress, which pytest does not end, may come first.
        reporter.write(f"\n{report.longreprtext}\nRERUN {report.nodeid}\t{' '.join(reason.split())[:300]}\n")
