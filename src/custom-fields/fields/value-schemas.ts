import { Type } from 'typebox'

/** One value of a field in a response, for the types whose values are not structured. */
export const Text = Type.Object({ value: Type.String() })
export const Decimal = Type.Object({
  value: Type.String({ description: 'A decimal number of at most 15 digits, such as `12.5`.' }),
})
export const Flag = Type.Object({ value: Type.Boolean({ description: 'Whether the box is ticked.' }) })
export const Moment = Type.Object({
  value: Type.Integer({ description: 'Unix seconds. A date is its midnight in UTC.' }),
})
const EnumCode = Type.Union([Type.String(), Type.Null()])
export const Choice = Type.Object({
  value: Type.String({ description: 'The text of the choice.' }),
  enum_id: Type.Integer({ description: 'The id of the choice, from `enums` or `nested` of the field.' }),
  enum_code: EnumCode,
})
export const Labelled = Type.Object({
  value: Type.String(),
  enum_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The id of the label: work, home and the like.',
  }),
  enum_code: EnumCode,
})
