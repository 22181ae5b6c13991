import JSONSchema
import JSONText
import Testing

@testable import MenuAPI

@Suite struct ValueFaultWordingTests {
  @Test(
    arguments: [
      (
        #"{"type":["integer","null"]}"#, "1.5", "Expected an integer or null, found the number 1.5."
      ),
      (#"{"type":"boolean"}"#, "[]", "Expected true or false, found an empty array."),
      (#"{"type":"object"}"#, "[1]", "Expected an object, found an array."),
      (
        #"{"type":["array","number","string"]}"#, "{}",
        "Expected an array, a number or a string, found an empty object."
      ),
      (#"{"const":1}"#, "2", "Expected 1, found the number 2."),
      (#"{"const":{"a":[null]}}"#, "2", #"Expected '{"a":[null]}', found the number 2."#),
      (
        #"{"enum":["left","right",1,null]}"#, #""lefd""#,
        "Expected 'left', 'right', 1 or null, found the string 'lefd'; did you mean 'left'?"
      ),
      (#"{"enum":[]}"#, "1", "Expected nothing, found the number 1."),
      (
        #"{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]}"#, "0",
        "Expected one of 25 values, found the number 0."
      ),
      (#"{"minimum":1.5}"#, "1", "Expected a number that is at least 1.5, found the number 1."),
      (#"{"maximum":1}"#, "2", "Expected a number that is at most 1, found the number 2."),
      (#"{"exclusiveMinimum":1}"#, "1", "Expected a number greater than 1, found the number 1."),
      (#"{"exclusiveMaximum":1}"#, "1", "Expected a number less than 1, found the number 1."),
      (#"{"multipleOf":5}"#, "7", "Expected a multiple of 5, found the number 7."),
      (#"{"minLength":1}"#, #""""#, "Expected at least 1 character, found 0."),
      (#"{"maxItems":2}"#, "[1,2,3]", "Expected at most 2 elements, found 3."),
      (#"{"minProperties":2}"#, "{}", "Expected at least 2 members, found 0."),
      (#"{"pattern":"^a"}"#, #""b""#, "Expected a string that matches '^a', found the string 'b'."),
      (
        #"{"uniqueItems":true}"#, "[1,1]",
        "The element is equal to the one at index 0, and each may be there only once."
      ),
      (#"{"required":["a"]}"#, "{}", "The member 'a' is missing."),
      (
        #"{"dependentRequired":{"b":["a"]}}"#, #"{"b":1}"#,
        "The member 'a' is missing, which must be there beside 'b'."
      ),
      (
        #"{"additionalProperties":false}"#, #"{"b":1}"#,
        "There is no member 'b' here; nothing is read here."
      ),
      (#"{"properties":{"b":false}}"#, #"{"b":1}"#, "Nothing may be here."),
      (
        #"{"propertyNames":{"maxLength":1}}"#, #"{"bb":1}"#,
        "The name 'bb' is not allowed. Expected at most 1 character, found 2."
      ),
      (
        #"{"contains":{"const":1}}"#, "[]",
        "Expected at least 1 element that 'contains' describes, found 0."
      ),
      (
        #"{"anyOf":[{"const":1},{"const":2}]}"#, "3",
        "The value meets none of the 2 schemas in 'anyOf'."
      ),
      (
        #"{"oneOf":[{"const":1},{"const":2}]}"#, "3",
        "The value meets none of the 2 schemas in 'oneOf'."
      ),
      (
        #"{"oneOf":[true,true,false]}"#, "3",
        "The value meets 2 of the 3 schemas in 'oneOf', and must meet exactly one."
      ),
      (#"{"not":true}"#, "3", "The value meets the schema in 'not', which it must not."),
    ] as [(String, String, String)])
  func `each fault is a sentence`(schema: String, value: String, sentence: String) throws {
    let faults = try Schema(JSON(parsing: schema)).faults(of: JSON(parsing: value))
    #expect(faults.map(\.reason.sentence) == [sentence])
  }

  @Test func `of many known members none is listed, and one that is alike is named`() throws {
    var properties = JSONObject()
    for index in 0..<25 { properties["member\(index)"] = true }
    let schema = try Schema(["properties": .object(properties), "additionalProperties": false])
    let faults = schema.faults(of: ["x": 1, "membre7": 1])
    #expect(
      faults.map(\.reason.sentence) == [
        "There is no member 'x' here; the schema names 25 others.",
        "There is no member 'membre7' here; did you mean 'member7'?",
      ])
  }

  @Test func `what takes too much says so`() {
    #expect(
      ValueFault.Reason.tooMuchWork(.steps(limit: 9)).sentence
        == "Checking the value takes more than 9 steps; make it smaller, or its schema simpler.")
    #expect(
      ValueFault.Reason.tooMuchWork(.depth(limit: 9)).sentence
        == "The value is nested too deeply: checking it takes more than 9 schemas inside each other."
    )
  }
}
