import EmbeddedMarket
import ShellRuntime
import WriteJournal

extension ReceivedCall {
  /// Creates the call of a request in the server's own type, because client and server share no types.
  init(_ request: ReceivedRequest) {
    let content = request.content
    self.init(
      number: request.number, time: request.time, method: request.method, target: request.target,
      status: request.status, duration: request.duration, sender: request.sender, words: request.words,
      detail: request.detail, headers: content?.headers ?? [],
      body: content.map { StoredExchange.Body($0.body, type: $0.type) }, agent: request.agent)
  }
}

extension StoredExchange.Body {
  /// Creates the body of a request that the server received.
  fileprivate init(_ body: ReceivedRequest.Body, type: String?) {
    switch body {
    case .none: self = .none
    case .text(let text): self = .text(text, type: type, size: text.utf8.count)
    case .bytes(let size): self = .bytes(type: type, size: size)
    case .form(let parts):
      self = .form(
        parts.map { part in
          StoredExchange.Part(
            name: part.name, fileName: part.fileName, type: part.type, text: part.text, size: part.size)
        })
    }
  }
}
