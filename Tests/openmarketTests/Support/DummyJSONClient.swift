import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of DummyJSON's products as an app has one: types with `Codable`, and `URLSession`.
///
/// It is written from DummyJSON's own documentation, `views/docs-products.ejs` of Ovi/DummyJSON at 17a2b7b, and shares
/// nothing with this program. Every member that is documented is needed, so that a response without it isn't decoded.
struct DummyJSONClient {
  /// A product as the documentation shows it.
  struct Product: Decodable {
    struct Dimensions: Decodable {
      let width: Double
      let height: Double
      let depth: Double
    }

    struct Review: Decodable {
      let rating: Int
      let comment: String
      let date: String
      let reviewerName: String
      let reviewerEmail: String
    }

    struct Meta: Decodable {
      let createdAt: String
      let updatedAt: String
      let barcode: String
      let qrCode: String
    }

    let id: Int
    let title: String
    let description: String
    let category: String
    let price: Double
    let discountPercentage: Double
    let rating: Double
    let stock: Int
    let tags: [String]
    let brand: String
    let sku: String
    let weight: Int
    let dimensions: Dimensions
    let warrantyInformation: String
    let shippingInformation: String
    let availabilityStatus: String
    let reviews: [Review]
    let returnPolicy: String
    let minimumOrderQuantity: Int
    let meta: Meta
    let thumbnail: String
    let images: [String]
  }

  /// The response with a list.
  struct Page: Decodable {
    let products: [Product]
    let total: Int
    let skip: Int
    let limit: Int
  }

  /// The two members that a deleted product has besides.
  struct Deletion: Decodable {
    let isDeleted: Bool
    let deletedOn: String
  }

  /// The response to a request for a product that doesn't exist.
  struct Failure: Decodable, Error {
    let message: String
  }

  /// A product to add, or its members to change.
  struct Draft: Encodable {
    var title: String
    var price: Double?
    var category: String?
    var tags: [String]?
  }

  let base: URL

  func page(limit: Int, skip: Int) async throws -> Page {
    try await get("products?limit=\(limit)&skip=\(skip)")
  }

  func product(_ id: Int) async throws -> Product { try await get("products/\(id)") }

  func search(_ text: String) async throws -> Page { try await get("products/search?q=\(text)") }

  func add(_ draft: Draft) async throws -> Product { try await send("POST", "products/add", draft) }

  func update(_ id: Int, _ draft: Draft, method: String) async throws -> Product {
    try await send(method, "products/\(id)", draft)
  }

  func delete(_ id: Int) async throws -> Deletion { try await decoded(request("DELETE", "products/\(id)")) }

  private func get<Value: Decodable>(_ path: String) async throws -> Value { try await decoded(request("GET", path)) }

  private func send<Value: Decodable>(_ method: String, _ path: String, _ draft: Draft) async throws -> Value {
    var request = try request(method, path)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(draft)
    return try await decoded(request)
  }

  private func request(_ method: String, _ path: String) throws -> URLRequest {
    guard let url = URL(string: path, relativeTo: base) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    return request
  }

  private func decoded<Value: Decodable>(_ request: URLRequest) async throws -> Value {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    let (data, response) = try await URLSession(configuration: configuration).data(for: request)
    guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
      throw try JSONDecoder().decode(Failure.self, from: data)
    }
    return try JSONDecoder().decode(Value.self, from: data)
  }
}
