"""The site: Sphinx reads the pages with MyST; `python dev.py docs` builds it."""

from pathlib import Path

project = html_title = "phaseledger"
extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
highlight_language = "text"
nitpicky = True
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_theme = "furo"
html_use_index = html_copy_source = html_show_sphinx = html_show_copyright = False
