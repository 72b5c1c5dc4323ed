import Catalog
import Language

extension DraftFields {
  /// The product these fields make, its pictures read and made to fit; what had to be changed about them is said.
  package func plan(_ session: Session, in context: Context) throws -> Plan {
    try requireComplete()
    let counts = session.settings.limits == .server ? 0...1000 : Limits.pictures
    let pictures = try PictureFiles(images ?? [], home: context.environment["HOME"], counts: counts).read()
    for remark in pictures.remarks { context.say(remark, session) }
    return Plan([.create(try draft(pictures: pictures.files, session.settings.limits))])
  }
}
