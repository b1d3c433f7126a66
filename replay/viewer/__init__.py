"""A game as a page that plays it back: the page's data, and the page itself.

`document.viewer_document` makes the data of a game, `page.offline_page` the page that shows them
without a server. May import everything of `replay` but `cli`.
"""
