import Foundation
import TestSupport
import Testing

/// Who names the files that the program opens: no path that stands in a file is opened but through `ConfinedPath`.
///
/// A new place that opens a file fails this test until it is listed here with the one who names the path. What the user
/// types is free, and what belongs to the program is its own. What a file names, which others may have written, goes through
/// `ConfinedPath(stated:below:)`.
@Suite struct OpenedFilesTests {
  /// The number of places, by file, that open what the user named: at the prompt, as an option or in a setting.
  private static let typed = [
    "Commands/Accounts/LoginCommand.swift": 1,  // login secret=@FILE
    "Commands/Accounts/ProfileCommand.swift": 1,  // profile NAME weather_key=@FILE
    "Commands/Descriptions/DerivationSource.swift": 1,  // api from FILE
    "Commands/Folder/ProductFolder.swift": 2,  // pull DIR
    "Commands/HTTP/CurlRenderer.swift": 1,  // images=FILE, for the printed line
    "Commands/HTTP/RawRequestBuilder.swift": 1,  // raw POST URL @FILE
    "Commands/Handover/HandoverFile.swift": 1,  // handover open FILE, which names no files
    "Commands/Import/ExportCommand.swift": 1,  // export to FILE
    "Commands/Import/ImportCommand.swift": 2,  // import FILE
    "Commands/Import/ImportPlan.swift": 2,  // import FILE ids
    "Commands/Plans/ApplyCommand.swift": 1,  // apply FILE
    "Commands/Plans/ApproveCommand.swift": 1,  // approve FILE
    "Commands/Scripting/ExpectCommand.swift": 1,  // expect FILE: LINE
    "Images/PictureFileReader.swift": 1,  // for PictureUploadLoader
    "MarketOperations/Approval/PlanSignature.swift": 1,  // FILE.sig beside a plan
    "MarketOperations/Plans/PlanFile.swift": 1,  // apply FILE
    "MarketOperations/ProductInput/NewProductFields.swift": 1,  // new from FILE, which names no pictures
    "MarketOperations/ProductInput/PictureUploadLoader.swift": 1,  // images=FILE
    "MarketOperations/Writing/ProductWriteCommand.swift": 1,  // description=@FILE
    "Shell/Execution/ScriptLines.swift": 1,  // source FILE
    "Shell/Execution/ScriptRunner.swift": 1,  // -f FILE
    "Shell/Reports/Recording.swift": 1,  // --replay FILE
    "ShellRuntime/CommandScope+Market.swift": 1,  // profile NAME ca=FILE
    "ShellRuntime/Descriptions/DescriptionReader.swift": 1,  // --api FILE, api check FILE
    "ShellRuntime/Output/StreamingRowWriter.swift": 1,  // to FILE
    "ShellRuntime/Output/WrittenFiles.swift": 6,  // to FILE
    "openmarket/Serve/DescribedAPI.swift": 1,  // --api FILE, for its sample
    "openmarket/Serve/Lesson.swift": 2,  // --lesson FILE
    "openmarket/Serve/VendorList.swift": 1,  // --vendors FILE
  ]

  /// The places that open files of the program itself: of its home folder, temporary ones, and `/dev/null`.
  private static let own = [
    "AgentTools/Plans/AgentPlanStore.swift": 4,
    "Commands/HTTP/CurlRenderer.swift": 1,
    "Commands/HTTP/SwiftCodeGenerator.swift": 2,  // code that is printed
    "Commands/Handover/HandoverTables.swift": 4,
    "Commands/Import/ExportBaseline.swift": 3,
    "Commands/Import/RecipeStore.swift": 3,
    "Commands/Learning/LearningProgress.swift": 4,
    "Commands/Markets/ProductIDMap.swift": 1,
    "Commands/Import/RecipeCommand.swift": 1,  // the text of an editor
    "Commands/Reports/SavedReports.swift": 2,
    "EmbeddedMarket/HTTP/OwnAccount.swift": 1,  // /proc/self/net/tcp
    "EmbeddedMarket/Market/StorageQuota.swift": 1,  // the reserve beside the market's data
    "EmbeddedMarket/Store/Store.swift": 1,
    "History/Files/SQLiteStore.swift": 1,
    "LineEditing/Editor/EditRC.swift": 1,
    "LineEditing/History/HistoryFile.swift": 5,
    "LineEditing/Terminal/SignalDispatcher.swift": 1,
    "MarketOperations/Approval/PlanSignature.swift": 1,
    "MarketOperations/Plans/SaleRule.swift": 2,
    "MarketOperations/Sales/SaleNumbers.swift": 2,
    "MarketOperations/Sales/ScheduledSale.swift": 4,
    "MarketOperations/Timer/RecurringLine.swift": 5,
    "MarketOperations/Timer/SystemTimer.swift": 6,  // the units of the user's systemd, and a copy of the crontab
    "MarketOperations/Timer/TimerRecord.swift": 5,
    "Shell/REPL/Tips.swift": 1,
    "ShellRuntime/Descriptions/DescriptionProofs.swift": 2,
    "ShellRuntime/Output/WrittenFiles.swift": 3,
    "ShellRuntime/Profiles/AliasStore.swift": 3,
    "ShellRuntime/Profiles/CredentialStore.swift": 3,
    "ShellRuntime/Profiles/Profile.swift": 3,
    "ShellRuntime/Profiles/ProfileStore.swift": 5,
    "ShellRuntime/Profiles/SettingStore.swift": 3,
    "WriteJournal/Coding/BlobStore.swift": 7,
    "WriteJournal/Database/Journal+LateArrivals.swift": 1,
    "WriteJournal/Database/Journal+Pruning.swift": 1,
    "WriteJournal/Journal.swift": 2,
    "openmarket/DemoMarket.swift": 2,
    "openmarket/EntryPoint.swift": 2,
    "openmarket/MCP/MCPCommand.swift": 1,
    "openmarket/Serve/OwnCertificate.swift": 2,
  ]

  /// The places that open a `ConfinedPath` with a reader of files.
  private static let confined = [
    "Commands/Folder/FileReplacements.swift": 1,
    "Commands/Folder/FolderBase.swift": 2,
    "Commands/Folder/ProductFolder.swift": 3,
  ]

  /// The formats that name files, by the source that reads the names.
  private static let formats = [
    "Commands/Folder/FileReplacements.swift": "base.jsonl of a folder: a file that was about to be replaced",
    "Commands/Folder/FolderBase.swift": "base.jsonl of a folder: the files of products",
    "Commands/Folder/ProductFile.swift": "the name of a new product's file",
    "Commands/Folder/ProductFolder.swift": "the files of a folder, and their pictures",
    "Commands/Import/ImportPlanner.swift": "the pictures of a CSV, JSON or Excel table",
    "Commands/Markets/ProductIDMap.swift": "the map of a folder's copies",
    "MarketOperations/ProductInput/PictureUploadLoader.swift": "the pictures of all of them",
    "openmarket/Serve/DescribedAPI.swift": "the sample of a description that is served",
    "openmarket/Serve/Lesson.swift": "the products, the vendors and the described API of a lesson",
    "openmarket/Serve/LessonProducts.swift": "the pictures of a lesson's table",
  ]

  private static let texts: [String: String] = {
    let root =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Sources/"
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    // The readers themselves are in Platform, and the benchmarks are no part of the program.
    return paths.filter { path in
      path.hasSuffix(".swift") && !["Platform/Files/", "Benchmarks/"].contains { path.hasPrefix($0) }
    }.reduce(into: [:]) { texts, path in texts[path] = try? String(contentsOfFile: root + path, encoding: .utf8) }
  }()

  /// Returns the number of matches in the code of each file, without comments.
  private static func counts(of pattern: TextPattern) -> [String: Int] {
    texts.compactMapValues { text in
      let count = pattern.count(in: comment.replacing(in: text, with: ""))
      return count == 0 ? nil : count
    }
  }

  private static let comment = TextPattern("^ *//.*$")

  @Test func everyOpenedFileHasOneWhoNamesIt() {
    let openers =
      #"\bFiles\.(?:read|text|write|append|names)\(|\bStableFileReader\.\w+\(|\bPictureFileReader\.read\(path|\bSettingsFile\(|\bAtomicFileWriter\(|\bFileDigest\(ofFile|\bPlanSource\(|\bLineFile\(|\bConfinedPath\(\s*folder(?:Of)?:|\bFileManager\.default\.(?:contents\(|createFile|copyItem|moveItem|contentsOfDirectory)|contentsOfFile:|\b(?:Data|String)\(contentsOf:|\bopen(?:at)?\([^\n]*O_|\b(?:fopen|opendir)\("#
    let listed = Self.typed.merging(Self.own, uniquingKeysWith: +).merging(Self.confined, uniquingKeysWith: +)
    let found = Self.counts(of: TextPattern(openers))
    #expect(found.count > 40)
    for path in Set(found.keys).union(listed.keys).sorted() where found[path] != listed[path] {
      Issue.record(
        """
        \(path) opens files in \(found[path] ?? 0) places, and \(listed[path] ?? 0) are listed. \
        A path that a file names is opened with ConfinedPath(stated:below:); any other is listed here.
        """)
    }
  }

  @Test func everyFormatThatNamesFilesIsListed() {
    let found = Self.counts(
      of: TextPattern(#"\bConfinedPath\(stated:|\bFileName\(stated:|\b(?:PictureUploadLoader|bytes)\(\s*stated:"#))
    #expect(Set(found.keys) == Set(Self.formats.keys))
  }
}
