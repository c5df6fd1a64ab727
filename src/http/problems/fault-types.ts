/**
 * The sentences of faults that a schema finds, by what is wrong; `{name}` stands for a parameter. The request log shows them in
 * the reader's language, so this file imports nothing: the web application reads sentences with it. If two could be the same
 * text, the longer one is first.
 */
export const faultSentences = {
  missing: 'This field is missing.',
  one_required: 'One or more of these fields are required: {names}.',
  unknown_field: 'This object has no field "{name}". Its fields are: {names}.',
  null: 'This value should be null.',
  not_null: 'This value should not be null.',
  type: 'This value should be of type {type}.',
  no_choices: 'The value you selected is not a valid choice. There are no valid choices.',
  more_choices:
    'The value you selected is not a valid choice. It should be one of: {choices} and {more} more.',
  choices: 'The value you selected is not a valid choice. It should be one of: {choices}.',
  choice: 'The value you selected is not a valid choice. It should be {choice}.',
  blank: 'This value should not be blank.',
  one_line: 'This value should be one line without control characters.',
  pattern: 'This value should match {pattern}.',
  url: 'This value is not a valid URL.',
  too_short: 'This value is too short. It should have {limit} characters or more.',
  too_long: 'This value is too long. It should have {limit} characters or less.',
  too_few: 'This collection should contain {limit} elements or more.',
  too_many: 'This collection should contain {limit} elements or less.',
  too_many_fields: 'This value should have {limit} fields or less.',
  too_many_values: 'This filter accepts at most {limit} values.',
  repeated: 'This collection should contain only unique elements.',
  at_least: 'This value should be {limit} or more.',
  at_most: 'This value should be {limit} or less.',
  invalid: 'This value is not valid.',
} as const

export type FaultSentence = keyof typeof faultSentences

export type FaultParameters = Partial<
  Record<'names' | 'name' | 'type' | 'choices' | 'choice' | 'more' | 'pattern' | 'limit', string>
>

const PARAMETER = /\{(\w+)\}/g

/** The sentence with its parameters. */
export const sentenceOf = (id: FaultSentence, parameters: Record<string, unknown> = {}): string =>
  faultSentences[id].replace(PARAMETER, (_, name: string) => String(parameters[name]))

const patterns = Object.entries(faultSentences).map(([id, sentence]) => {
  const parts = sentence.split(PARAMETER).map((part, i) => (i % 2 ? `(?<${part}>[^]*)` : RegExp.escape(part)))
  return [id as FaultSentence, new RegExp(`^${parts.join('')}$`)] as const
})

/** Longer texts are not read. The sentences have two parameters at most, so reading is quadratic at worst. */
const LONGEST = 2_000

/** The sentence that a text matches, with its parameters; null if it matches none of them. */
export function readSentence(text: string): { id: FaultSentence; parameters: FaultParameters } | null {
  if (text.length > LONGEST) return null
  for (const [id, pattern] of patterns) {
    const found = pattern.exec(text)
    if (found) return { id, parameters: { ...found.groups } }
  }
  return null
}
