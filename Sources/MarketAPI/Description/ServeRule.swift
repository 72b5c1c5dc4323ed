import Networking

extension MarketDescription {
  /// The parts of an API that only a server of it needs, `openmarket serve --api FILE`: members of a product that no field
  /// describes, and the shape of its responses.
  package struct ServeRule: Hashable, Sendable {
    package enum DeleteResponse: String, Hashable, Sendable, CaseIterable {
      /// The product as it was.
      case product
      /// No body (204).
      case nothing
      /// The value `true`.
      case `true`
    }

    /// A member of the body of a list, or a header field of its response.
    package struct ListMember: Hashable, Sendable {
      package var at: ResponseLocation
      package var value: JSON

      package init(at: ResponseLocation, value: JSON) { (self.at, self.value) = (at, value) }
    }

    /// The path of a file with a product, as the description states it.
    ///
    /// Each product has its members, except those that a field describes.
    package var sample: String?
    /// The parameter with the names of the members that a client wants of each product, or `nil` if it gets all.
    package var select: String?
    /// The members of every product that are the same for all; `{id}` in a text is the product's id.
    package var extra: [ConstantMember] = []
    /// The members of a list besides the products, the total and the next page.
    package var list: [ListMember] = []
    /// The methods of an update; those of `[update]` if there are none.
    package var updateMethods: [RequestMethod] = []
    package var deleteResponse = DeleteResponse.product
    /// The additional members of the product in the response to a delete; `{now}` is the time.
    package var deletion: [ConstantMember] = []

    package init() {}

    /// The texts that are replaced by numbers of a list: the rows before the page, the requested and the actual number of
    /// rows, the number of the page and that of all pages, and the number of all products.
    package static let listPlaceholders = ["{offset}", "{limit}", "{count}", "{page}", "{pages}", "{total}"]
    /// The text that is replaced by the time of a delete.
    package static let now = "{now}"
  }
}
