"""Tool-info module of Heddle for BenchExec: put it into benchexec/tools/, or give its folder to --tool-directory and its module name."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Runs `heddle check` on a task and reads the last line of its text."""

    REQUIRED_PATHS = ["bin", "lib"]

    def name(self):
        return "Heddle"

    def project_url(self):
        return "https://example.org/heddle"

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--verdict-line", "--progress", "never", *options]
        if rlimits.cputime and not any(option.startswith("--time") for option in options):
            command += ["--time", f"{rlimits.cputime}s"]
        if rlimits.memory and not any(option.startswith("--memory") for option in options):
            command += ["--memory", str(rlimits.memory * 95 // 100)]
        if task.property_file:
            command += ["--spec", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model"):
            command += ["--data-model", task.options["data_model"]]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        """The verdict is the last line; without one the exit status tells what went wrong."""
        for line in reversed(list(run.output)):
            if line.startswith("Verdict: "):
                verdict = line[len("Verdict: "):].strip()
                return result.RESULT_DONE if verdict == "done" else verdict
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + " (bad input)"
        if run.exit_code.value == 3:
            return result.RESULT_ERROR + " (out of memory)"
        return result.RESULT_ERROR
