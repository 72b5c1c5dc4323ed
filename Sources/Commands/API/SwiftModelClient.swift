import Foundation
import MarketAPI

/// The Swift source of a small client of an edition, with the types of `SwiftModelWriter`.
struct SwiftModelClient {
  private let edition: Edition
  private let base: URL

  init(_ edition: Edition, base: URL) {
    self.edition = edition
    self.base = base
  }

  /// The lines of each declaration.
  var sections: [[String]] {
    [edition.hasVendors ? vendorClient : campClient, lines(SwiftModelClient.refusal), lines(SwiftModelClient.form)]
      + (edition.hasVendors ? [lines(SwiftModelClient.signed)] : [])
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The declaration of the address, with a note about http in apps.
  private var address: String {
    let note =
      base.scheme == "http"
      ? "  /// The URL of the server. An iOS app needs NSAllowsLocalNetworking in its Info.plist for http.\n"
      : "  /// The URL of the server.\n"
    let text = base.absoluteString
    return note
      + "  var base = URL(string: \(SwiftCodeGenerator.literal(text.hasSuffix("/") ? String(text.dropLast()) : text)))!"
  }

  private var vendorClient: [String] {
    let isOpen = edition == .open
    let search = isOpen ? ", search: String = \"\"" : ""
    let searchLine =
      isOpen ? "\n    if !search.isEmpty { query.append(URLQueryItem(name: \"search_value\", value: search)) }" : ""
    let deletion =
      isOpen
      ? """
          let path = String(decoding: try await send(asking), as: UTF8.self)
          guard path.hasPrefix("/api/products/") else { throw URLError(.badServerResponse) }
          _ = try await send(request("DELETE", path))
      """
      : """
          let key = String(decoding: try await send(asking), as: UTF8.self)
          guard key.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }) else { throw URLError(.badServerResponse) }
          _ = try await send(request("DELETE", "/api/products/\\(id)/\\(key)"))
      """
    return lines(
      """
      /// The requests of the API. Reading needs no login.
      struct MarketClient: Sendable {
      \(address)
        /// The identifier of the vendor.
        var identifier = ""
        /// The secret of the vendor.
        var secret = ""

        /// Requests a page of the list, newest products first.
        func products(page: Int = 1, size: Int = 20\(search)) async throws -> ProductPage {
          \(isOpen ? "var" : "let") query = [
            URLQueryItem(name: "page_no", value: String(page)), URLQueryItem(name: "items_per_page", value: String(size)),
          ]\(searchLine)
          return try await decoded(request("GET", "/api/products", query))
        }

        /// Requests a product.
        func product(_ id: Int) async throws -> Product {
          try await decoded(request("GET", "/api/products/\\(id)"))
        }

        /// Creates a product with 1 to 5 images, which are JPEG or PNG files under 300 KB.
        func create(_ product: NewProduct, images: [Data]) async throws -> Product {
          var form = MarketForm()
          form.append(try JSONEncoder().encode(Signed(body: product, secret: secret)), name: "params", type: "application/json")
          for image in images { form.append(image: image, name: "images") }
          return try await decoded(request("POST", "/api/products", form: form))
        }

        /// Changes a product.
        func update(_ id: Int, _ change: ProductChange) async throws -> Product {
          var request = try request("PATCH", "/api/products/\\(id)")
          request.setValue("application/json", forHTTPHeaderField: "Content-Type")
          request.httpBody = try JSONEncoder().encode(Signed(body: change, secret: secret))
          return try await decoded(request)
        }

        /// Deletes a product with two requests: the response to the first says what the second one is.
        func delete(_ id: Int) async throws {
          var asking = try request("POST", "/api/products/\\(id)/\(isOpen ? "archived" : "secret")")
          asking.setValue("application/json", forHTTPHeaderField: "Content-Type")
          asking.httpBody = try JSONEncoder().encode(["secret": secret])
      \(deletion)
        }

      \(SwiftModelClient.sending(identifies: true))
      }
      """)
  }

  private var campClient: [String] {
    let isFirst = edition == .camp1
    let body = isFirst ? "Deletion(id: id, password: password)" : "[\"password\": password]"
    let deletion =
      isFirst
      ? """


        private struct Deletion: Encodable {
          let id: Int
          let password: String
        }
      """ : ""
    return lines(
      """
      /// The requests of the API. Reading needs no password.
      struct MarketClient: Sendable {
      \(address)
        /// The password of the products, which a new product gets.
        var password = ""

        /// Requests a page of the list.
        func products(page: Int = 1) async throws -> ProductPage {
          try await decoded(request("GET", "/items/\\(page)"))
        }

        /// Requests a product.
        func product(_ id: Int) async throws -> Product {
          try await decoded(request("GET", "/item/\\(id)"))
        }

        /// Creates a product with 1 to 5 images, which are JPEG or PNG files.
        func create(_ product: NewProduct, images: [Data]) async throws -> Product {
          try await decoded(request("POST", "/item", form: form(product.fields, images)))
        }

        /// Changes a product. Images replace those that it has.
        func update(_ id: Int, _ change: ProductChange, images: [Data] = []) async throws -> Product {
          try await decoded(request("PATCH", "/item/\\(id)", form: form(change.fields, images)))
        }

        /// Deletes a product.
        func delete(_ id: Int) async throws {
          var request = try request("DELETE", "/item/\\(id)")
          request.setValue("application/json", forHTTPHeaderField: "Content-Type")
          request.httpBody = try JSONEncoder().encode(\(body))
          _ = try await send(request)
        }

        private func form(_ fields: [(name: String, value: String?)], _ images: [Data]) -> MarketForm {
          var form = MarketForm()
          for (name, value) in fields + [("password", password)] {
            if let value { form.append(Data(value.utf8), name: name) }
          }
          for image in images { form.append(image: image, name: "images[]") }
          return form
        }\(deletion)

      \(SwiftModelClient.sending(identifies: false))
      }
      """)
  }

  /// Returns the functions that make and send a request.
  private static func sending(identifies: Bool) -> String {
    let identification =
      identifies
      ? "\n    if method != \"GET\" { request.setValue(identifier, forHTTPHeaderField: \"identifier\") }" : ""
    return """
        private func request(
          _ method: String, _ path: String, _ query: [URLQueryItem] = [], form: MarketForm? = nil
        ) throws -> URLRequest {
          guard var parts = URLComponents(string: base.absoluteString + path) else { throw URLError(.badURL) }
          if !query.isEmpty {
            parts.queryItems = query
            // The server reads + as a space.
            parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
          }
          guard let url = parts.url else { throw URLError(.badURL) }
          var request = URLRequest(url: url)
          request.httpMethod = method\(identification)
          if let form {
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = form.body
          }
          return request
        }

        private func decoded<Value: Decodable>(_ request: URLRequest) async throws -> Value {
          try JSONDecoder().decode(Value.self, from: try await send(request))
        }

        private func send(_ request: URLRequest) async throws -> Data {
          let (data, response) = try await URLSession.shared.data(for: request)
          let status = (response as? HTTPURLResponse)?.statusCode ?? 0
          guard (200..<300).contains(status) else { throw MarketRefusal(status: status, body: data) }
          return data
        }
      """
  }

  private static let refusal = """
    /// The error for a request that the server refused.
    struct MarketRefusal: Error, Hashable {
      let status: Int
      /// The JSON of the response.
      let body: RefusalBody?

      init(status: Int, body: Data) {
        self.status = status
        self.body = try? JSONDecoder().decode(RefusalBody.self, from: body)
      }
    }
    """

  private static let form = """
    /// A form with files (RFC 7578).
    struct MarketForm: Sendable {
      private let boundary = UUID().uuidString
      private var content = Data()

      var contentType: String { "multipart/form-data; boundary=\\(boundary)" }
      var body: Data { content + Data("--\\(boundary)--\\r\\n".utf8) }

      mutating func append(_ data: Data, name: String, fileName: String? = nil, type: String? = nil) {
        let file = fileName.map { "; filename=\\"\\($0)\\"" } ?? ""
        let head = "--\\(boundary)\\r\\nContent-Disposition: form-data; name=\\"\\(name)\\"\\(file)\\r\\n"
        content += Data((head + (type.map { "Content-Type: \\($0)\\r\\n" } ?? "") + "\\r\\n").utf8)
        content += data + Data("\\r\\n".utf8)
      }

      mutating func append(image: Data, name: String) {
        let isPNG = image.starts(with: [0x89, 0x50, 0x4E, 0x47])
        append(image, name: name, fileName: isPNG ? "image.png" : "image.jpg", type: isPNG ? "image/png" : "image/jpeg")
      }
    }
    """

  private static let signed = """
    /// The values of a request together with the secret.
    private struct Signed<Body: Encodable>: Encodable {
      let body: Body
      let secret: String

      enum CodingKeys: String, CodingKey { case secret }

      func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(secret, forKey: .secret)
      }
    }
    """
}
