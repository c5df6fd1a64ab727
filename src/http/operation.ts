import type {} from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyRequest,
  FastifySchema,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify'
import type { QueryParameter } from './queries/query-parameters.ts'

/** A JSON Schema of the 2020-12 draft: TypeBox builds such schemas, and OpenAPI 3.1 contains them. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** A request of an operation, with the types of its schema: for handlers outside of the call that adds the route. */
export type RequestOf<Operation extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  Operation,
  TypeBoxTypeProvider
>

/** A response that the serializer does not write. */
export interface OtherResponse {
  description: string
  /** By content type: what the body contains. */
  content?: Record<string, string>
  /** It is a refusal in the format of the surface. */
  problem?: true
}

/*
 * A route's schema carries the words of its operation. `operationId`, `summary`, `description`, `tags` and `security` are
 * those of @fastify/swagger. The following say what Fastify's own schemas cannot say.
 */
declare module 'fastify' {
  interface FastifySchema {
    /** The content of a successful response, as a sentence. */
    returns?: string
    /** The body and a successful answer can have secrets under any name, so the request log does not keep them. */
    is_confidential?: boolean
    /** It accepts an Idempotency-Key where not every write does (V9): it adds something, and waits for nothing but the database. */
    repeats?: true
    /** Query parameters in bracket notation, which the handler reads. */
    parameters?: readonly QueryParameter[]
    /** Query names that no parameter can describe, because they contain the id of a field. */
    reads?: readonly string[]
    /** Request headers that the handler reads, with their descriptions. */
    requestHeaders?: Readonly<Record<string, string>>
    /** The body by content type, if the handler validates it and Fastify does not. */
    requestBody?: Readonly<Record<string, object>>
    /** Responses beside those in `response`, by status. */
    otherResponses?: Readonly<Record<number, OtherResponse>>
    /**
     * Other formats of the response, by content type, which a caller requests by `Accept` or `format`. They are not in the
     * content of the response, because a generated client would have to distinguish the formats of every response.
     */
    exports?: Readonly<Record<string, string>>
  }
}
