import Text

extension HelpTopic {
  /// The page about `openmarket mcp`, with the configuration of the hosts.
  static let mcpPage = HelpPage(
    title: LocalizedText("agents over the Model Context Protocol", ko: "Model Context Protocol을 쓰는 에이전트"),
    details: LocalizedText(
      "openmarket mcp offers an agent nine tools that read and plan. None of them changes a market: the agent's plan is a file, and a person applies it. Add --profile NAME to the arguments for another market than the default.",
      ko:
        "openmarket mcp는 에이전트에게 조회하고 계획하는 도구 아홉 개를 제공합니다. 마켓을 바꾸는 도구는 없습니다. 에이전트의 계획은 파일이고, 적용은 사람이 합니다. 기본이 아닌 마켓은 인자에 --profile 이름을 더하세요."
    ),
    sections: [
      HelpPage.Section(
        LocalizedText("Configuration of hosts", ko: "호스트 설정"),
        [
          .init(
            #"{"mcpServers":{"openmarket":{"command":"openmarket","args":["mcp"]}}}"#,
            "Claude Code (.mcp.json), Claude Desktop, Cursor (.cursor/mcp.json)",
            ko: "Claude Code(.mcp.json), Claude Desktop, Cursor(.cursor/mcp.json)"),
          .init(
            #"{"servers":{"openmarket":{"command":"openmarket","args":["mcp"]}}}"#, "VS Code (.vscode/mcp.json)",
            ko: "VS Code(.vscode/mcp.json)"),
          .init(
            #"{"mcp":{"openmarket":{"type":"local","command":["openmarket","mcp"]}}}"#, "opencode (opencode.json)",
            ko: "opencode(opencode.json)"),
        ]),
      HelpPage.Section(
        LocalizedText("Tools", ko: "도구"),
        [
          "list_products", "show_product", "query_sql", "changes", "calls", "log", "explain", "plan", "show_plan",
        ].map { .init($0, "", ko: "") }, shape: .terms),
      HelpPage.Section(
        LocalizedText("Afterwards", ko: "그 뒤에"),
        [
          .init("apply FILE", "applies a plan of the agent, after asking", ko: "에이전트의 계획을 물은 뒤 적용"),
          .init("approve FILE", "signs it, for a profile with apply=signed", ko: "apply=signed인 프로필을 위해 서명"),
          .init("log where actor~agent", "what agents changed", ko: "에이전트가 바꾼 것"),
          .init("undo actor agent since 2h", "undoes it as one batch", ko: "일괄 작업 하나로 되돌리기"),
        ]),
    ],
    closing: LocalizedText(
      "See \(.command("openmarket mcp --help")) for the options, and \(.command("openmarket --generate-skill")) for a SKILL.md.",
      ko: "옵션은 \(.command("openmarket mcp --help")), SKILL.md는 \(.command("openmarket --generate-skill"))에서 볼 수 있습니다."))
}
