"""An HTML page in one file, and charts for it as SVG: no script, no network.

Imports nothing else of `replay`.
"""
