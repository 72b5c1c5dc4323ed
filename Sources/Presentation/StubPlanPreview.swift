import Catalog
package struct PlanPreview {
  package struct Heading { package init(profile: String?, vendor: String?, host: String, access: String) {} }
  package init(_ plan: Plan, heading: Heading) {}
  package func render(_ o: RenderOptions) -> String { "" } }
