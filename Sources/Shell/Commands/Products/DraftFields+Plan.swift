import Catalog

extension DraftFields {
  /// The product these fields make, its pictures read and made to fit; what had to be changed about them is said.
  func plan(_ consent: Consent, _ session: Session, in context: Context) async throws -> Plan {
    try requireComplete()
    if let currency, !currency.isDocumented { try await UnknownCurrency(currency).admit(consent, session, context) }
    let pictures = try PictureFiles(images ?? [], home: context.environment["HOME"]).read()
    for remark in pictures.remarks { context.say(remark, session) }
    return Plan([.create(try draft(pictures: pictures.files, session.settings.limits))])
  }
}
