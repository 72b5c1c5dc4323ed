import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import ShellRuntime
import Text

/// Requests as commands for a POSIX shell.
///
/// A write that needs two requests becomes both.
package struct CurlRenderer {
  private let files: FormFileLocator

  package init(_ files: FormFileLocator) { self.files = files }

  /// Returns a request as one command.
  ///
  /// - Throws: `TransportError` for an invalid URL; `FileError` if a file for curl can't be written.
  package func line(for request: Request, to base: URL) throws -> String {
    try request.curl(to: base) { try files.path(of: $0, named: $1) }
  }

  /// Returns the commands for a change, without the headers that only our own log uses.
  ///
  /// - Throws: The errors of `line`, and `MarketError` for a change that the edition or the login doesn't permit.
  package func lines(for change: Change, at market: MarketService) throws -> String {
    switch change {
    case .create(let draft):
      return try line(for: CreateProduct(draft, boundary: boundary).makeRequest(to: market), market)
    case .edit(let product, _, let to):
      let edit = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: boundary)
      return try line(for: edit.makeRequest(to: market), market)
    case .delete(let product): return try deletion(of: product.id, at: market)
    }
  }

  private func line(for request: Request, _ market: MarketService) throws -> String {
    try line(for: request, to: market.baseURL)
  }

  /// Returns the commands of a deletion.
  ///
  /// The response to the first contains the token of the second, which isn't sent without it.
  private func deletion(of id: Product.ID, at market: MarketService) throws -> String {
    guard market.dialect.deletionNeedsToken else {
      return try line(for: DeleteProduct(id).makeRequest(to: market), market)
    }
    let variable = Credentials.deletionTokenVariable
    let tokenRequest = RequestDeletion(id)
    let asking = try tokenRequest.makeRequest(to: market).curl(to: market.baseURL, .commandSubstitution)
    let placeholder = tokenRequest.placeholder(for: market.dialect, token: CurlRenderer.tokenPlaceholder)
    let deleting = try DeleteProduct(id, token: placeholder).makeRequest(to: market).curl(to: market.baseURL)
    return variable + "=$(" + asking + ") &&\n"
      + deleting.replacing("\"$\(variable)\"", with: "\"${\(variable)#\(tokenRequest.prefix(for: market.dialect))}\"")
  }

  /// A placeholder, because curl chooses its own boundary.
  private var boundary: String { "boundary" }
  /// A placeholder for the token, long enough to occur nowhere else.
  private static let tokenPlaceholder = "openmarket-key-of-the-first-call"
}

/// The files of a form for curl: the user's own if they are sent unchanged, otherwise copies.
package struct FormFileLocator: Sendable {
  private let candidates: [String]
  private let folder: String
  private let freshName: @Sendable () -> String

  /// Creates a file provider.
  ///
  /// - Parameters:
  ///   - candidates: The paths of files that may have the same content.
  ///   - folder: The folder for copies.
  ///   - freshName: Creates a unique file name.
  package init(candidates: [String], folder: String, freshName: @escaping @Sendable () -> String) {
    self.candidates = candidates
    self.folder = folder
    self.freshName = freshName
  }

  /// Creates a file provider with all files named in the line.
  package init(_ invocation: ParsedCommand, _ context: CommandContext) {
    let values = invocation.assignments.map(\.value) + invocation.arguments.values.flatMap { $0.map(\.text) }
    let paths = values.flatMap { $0.split(atScalar: ",").map { $0.trimmed } }.map { path in
      let plain = path.dropping(firstScalar: "@").map { String($0) } ?? path
      let full = Paths.expanded(plain, home: context.program.environment["HOME"])
      return full.hasPrefix("/") ? full : FileManager.default.currentDirectoryPath + "/" + full
    }
    self.init(candidates: paths, folder: context.stores.home.cache + "/curl", freshName: context.stores.freshName)
  }

  /// Returns the path of a file with this content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The file name for a copy.
  /// - Returns: The path.
  /// - Throws: `FileError` if there is no such file and a copy can't be written.
  package func path(of bytes: Data, named name: String) throws -> String {
    for path in candidates {
      if let found = try? Files.read(path), found == bytes { return path }
    }
    try Files.createHomeFolder(folder)
    let path = folder + "/" + freshName() + "-" + name
    try Files.write(bytes, to: path, mode: 0o600)
    return path
  }
}
