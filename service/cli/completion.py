"""The command that installs the completion of commands and flags in a shell."""

from cyclopts.completion.install import create_install_completion_command

from phaseledger.service.cli.main import app

install = create_install_completion_command(app.install_completion, add_to_startup=True)
