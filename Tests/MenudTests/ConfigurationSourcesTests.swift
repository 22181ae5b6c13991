import ArgumentParser
import CEL
import Foundation
import JSONText
import Logging
import MenuEngine
import MicroHTTP
import Testing

@testable import menud

extension ConfigurationSources {
  /// The configuration, which must have no mistakes.
  func configuration() throws -> Configuration {
    let reading = reading()
    try #require(reading.faults.isEmpty, "\(reading.faults)")
    return reading.configuration
  }
}

@Suite struct ConfigurationSourcesTests {
  @Test func `an option comes before the environment, and that before the file`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"server": {"port": 1, "threads": 1, "host": "::1"}}"#, to: "menud.json")
    let variables = ["MENUD_SERVER_PORT": "2", "MENUD_SERVER_THREADS": "2"]
    let configuration = try ConfigurationSources(
      file: folder.path + "/menud.json", options: [(.at("server.port"), "--port", "3")],
      environment: variables
    ).configuration()
    #expect(configuration.server.port == 3)
    #expect(configuration.server.threads == 2)
    #expect(configuration.server.host == "::1")
    #expect(configuration.drainGrace == .seconds(10))
  }

  @Test func `each option is that of a setting`() throws {
    let names = [
      "--host", "--port", "--threads", "--tls-certificate", "--tls-key", "--application",
      "--session", "--journal-store", "--journal-path", "--journal-durability", "--journal-wait",
      "--log-level", "--log-format", "--maximum-source-length", "--maximum-nesting",
      "--maximum-nodes", "--maximum-steps", "--maximum-string-length", "--maximum-elements",
    ]
    let options = try ConfigurationOptions.parse(names.flatMap { [$0, "x"] } + ["--log-requests"])
    let given = options.sources.options
    #expect(Set(given.map(\.name)) == Set(names + ["--log-requests"]))
    for option in given {
      let words = option.name.split(separator: "-").joined()
      #expect(
        option.setting.path.joined().lowercased().contains(words), "\(option.setting.path)")
    }
  }

  @Test func `the environment can name the file`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"server": {"port": 1}, "application": "app"}"#, to: "menud.json")
    let variables = ["MENUD_CONFIG": folder.path + "/menud.json"]
    let configuration = try ConfigurationSources(environment: variables).configuration()
    #expect(configuration.server.port == 1)
    #expect(configuration.application == folder.path + "/app")
  }

  @Test(arguments: [
    ("Config/photo-app", "", "photo-app"), ("/srv/menus/shop/", "", "shop"), ("shop/.", "", "shop"),
    (".", "", ""), ("", "", ""), ("Config/photo-app", "Photos", "Photos"), ("", "Photos", "Photos"),
  ])
  func `agents know the application by its configured name, else by that of its folder`(
    application: String, configured: String, name: String
  ) throws {
    var configuration = Configuration()
    configuration.application = application
    configuration.agentsName = configured
    #expect(configuration.applicationName == name)
    let variables = ["MENUD_AGENTS_NAME": configured]
    let read = try ConfigurationSources(environment: variables).configuration()
    #expect(read.agentsName == configured)
  }

  @Test(arguments: Setting.all.map(\.variable))
  func `every setting can be given by the environment`(variable: String) throws {
    let values = [
      "MENUD_APPLICATION": "some/app", "MENUD_SESSIONS": "a,b", "MENUD_SERVER_HOST": "::1",
      "MENUD_LOG_LEVEL": "trace", "MENUD_LOG_FORMAT": "json", "MENUD_LOG_REQUESTS": "true",
      "MENUD_SERVER_ALLOWED_HOSTS": "menus.example.org,*", "MENUD_AUTH_REQUIRED": "always",
      "MENUD_AGENTS_DEFAULT": "plan", "MENUD_AGENTS_TOOLS": "find",
      "MENUD_AUTH_ADMINISTRATOR_TOKEN": "0123456789abcdef",
      "MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": "some/file",
      "MENUD_JOURNAL_STORE": "memory", "MENUD_METRICS_OPEN": "true",
      "MENUD_JOURNAL_DURABILITY": "off", "MENUD_JOURNAL_URL": "host=localhost",
      "MENUD_CORS_ORIGINS": "https://menus.example.org", "MENUD_CONSOLE_ENABLED": "false",
      "MENUD_CONSOLE_PATH": "/tools/menus", "MENUD_REPLICAS_ENABLED": "true",
      "MENUD_REPLICAS_READS": "recent", "MENUD_HISTORY_REFUSALS": "true",
    ]
    let value = values[variable] ?? "7"
    let configuration = try ConfigurationSources(environment: [variable: value]).configuration()
    let others = try ConfigurationSources(environment: [:]).configuration()
    #expect("\(configuration)" != "\(others)")
  }

  @Test func `rules of the application keep to the configured bounds`() throws {
    let folder = try Sample.copy([])
    let path = folder.path + "/app"
    let limits = ProgramLimits(maximumSourceLength: 3)
    #expect(throws: CatalogFaults.self) {
      try CatalogFolder(path: path, ruleLimits: limits).catalog()
    }
  }

  /// Beyond the defaults, the file in the repository names the sample and its session.
  @Test func `the configuration in the repository has every setting with its default`() throws {
    let path = Program.path + "/Config/menud.json"
    let file = try JSON(readingFile: path)
    for setting in Setting.all {
      #expect(file.value(at: JSONPointer(setting.path)) != nil, "\(setting.path)")
    }
    var configuration = try ConfigurationSources(file: path, environment: [:])
      .configuration()
    #expect(configuration.application == Program.path + "/Config/photo-app")
    #expect(configuration.sessions.map(\.rawValue) == ["demo"])
    configuration.application = ""
    configuration.sessions = []
    #expect("\(configuration)" == "\(Configuration())")
  }
}
