import ShellRuntime
import Text

/// A page of `serve`: it loads nothing and needs no script.
struct HTMLPage {
  let language: MessageLanguage
  /// The title, in HTML.
  let title: String
  /// The content of the main part, in HTML.
  let body: String

  var text: String {
    """
    <!doctype html>
    <html lang="\(language.rawValue)">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>\(title)</title>
    <style>
    :root { color-scheme: light dark; }
    body { background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; word-break: keep-all; overflow-wrap: anywhere; }
    code, pre { font-family: ui-monospace, monospace; }
    pre { background: light-dark(#f0f0f0, #262626); padding: .75rem; white-space: pre-wrap; }
    a { color: light-dark(#0550ae, #8ab4f8); }
    .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
    table { border-collapse: collapse; }
    th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #888; }
    .wide { overflow-x: auto; overflow-wrap: normal; }
    .wide td { white-space: nowrap; }
    .wide td:nth-child(2), .wide td:last-child { white-space: normal; min-width: 8rem; overflow-wrap: break-word; }
    .wide td:last-child { min-width: 20rem; }
    .card { border: 1px solid #888; border-radius: .5rem; padding: 1rem; display: grid; grid-template-columns: 1fr 8rem; gap: 0 1rem; }
    .card h3, .card dl { margin: 0; }
    .card h3 { grid-column: 1 / -1; }
    dt { font-size: .875rem; }
    dd { margin: 0 0 .25rem; }
    svg { width: 100%; }
    @media print {
      body { margin: 0; max-width: none; font-size: 10pt; }
      .help.beside { display: none; }
      .cards { grid-template-columns: 1fr 1fr; }
      .card { break-inside: avoid; border-style: dashed; border-radius: 0; }
    }
    </style>
    <main>
    \(body)
    </main>

    """
  }

  /// Returns a text for the content of an element or an attribute.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
