import type { QueryParameter } from './query-parameters.ts'
import type { JsonSchema } from './served-routes.ts'

/** What is said of an operation that its route's schemas do not say. */
export interface OperationMetadata {
  summary: string
  description?: string
  /** What its handler reads out of a query in brackets. */
  query?: readonly QueryParameter[]
  /** Names that it reads besides, which no parameter can describe: the id of a field is a part of them. */
  reads?: readonly string[]
  /** Headers that it reads. */
  headers?: Record<string, { description: string }>
  /** Answers that are no JSON of the surface, by their status: beside those of the route, or in their place. */
  answers?: Record<number, AnswerMetadata>
  /** A body that its route reads itself; the key is the content type. */
  body?: Record<string, JsonSchema>
  /** The body is a batch; one item of it is taken as well. */
  one_too?: boolean
  /** How a caller is known, where it is not the surface's way. */
  security?: readonly Record<string, readonly string[]>[]
}

export interface AnswerMetadata {
  description?: string
  /** By content type: what it holds. */
  content?: Record<string, string>
  /**
   * The same, of what is answered where it is asked for (`Accept`, `format`): told beside the content, because a client that is generated
   * would have to tell the forms of each answer apart.
   */
  exports?: Record<string, string>
  /** It is a refusal of the surface. */
  problem?: true
}

/** Operations by method and path: `GET /leads/{id}`. A text alone is the summary. */
export type OperationsMetadata = Record<string, string | OperationMetadata>
