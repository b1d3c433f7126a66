"""A game as a page that plays it back: the data of the page, which `replay.web` draws.

`document.viewer_document` makes the data of a game; `replay.web.joiner.offline_page` is the page
that shows them without a server. May import everything of `replay` but `cli`.
"""
