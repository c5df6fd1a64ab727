import { z } from 'zod'
import { type Connection, send } from './connection.ts'
import { readGuide, searchGuides } from './guides.ts'
import { listOperations, readOperation } from './operations.ts'

/** A tool for agents. Each is one call of the server, or reads files of the package. None changes anything. */
export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  name: string
  title: string
  description: string
  input: Shape
  /** The answer: a text, or a value that is shown as JSON. Throws ToolError. */
  run(connection: Connection, input: z.infer<z.ZodObject<Shape>>): Promise<unknown> | unknown
}

/** Lets each row of the table have the types of its own input. */
const tool = <Shape extends z.ZodRawShape>(row: Tool<Shape>): Tool => row as unknown as Tool

const word = (description: string) => z.string().min(1).max(255).optional().describe(description)
const id = z.number().int().min(1)

/** The filter of recorded requests: the parameters of `/test_helpers/requests`. */
const filters = {
  direction: z.enum(['in', 'out']).optional().describe('in: requests to the server; out: its own attempts.'),
  integration: word('The id of the integration.'),
  operation: word('The operation, for example leads.create, or the kind of an attempt.'),
  method: word('The method in capital letters.'),
  path: word('The whole path, without the query.'),
  status: z
    .string()
    .regex(/^[1-5](xx|\d\d)$/)
    .optional()
    .describe('A status, or a class such as 4xx.'),
  request_id: word('The X-Request-Id: a request and the attempts that it caused.'),
  unread: z.boolean().optional().describe('Only requests with members that nothing reads.'),
  refused: z.boolean().optional().describe('Only requests with a status from 400 to 499.'),
  after: z.number().int().min(0).optional().describe('Only newer rows than this id.'),
}

const requestTools = [
  tool({
    name: 'requests_search',
    title: 'Search requests',
    description:
      'Lists recorded requests of integrations and attempts of the server, the newest first. `unread` are members that ' +
      'nothing reads, `why` is the reason of a refusal.',
    input: {
      ...filters,
      text: word('A text in the path, the query or a body, in the same case.'),
      before: id.optional().describe('Only older rows than this id: the `next` of the previous page.'),
      limit: z.number().int().min(1).max(250).default(20),
    },
    run: (connection, query) => send(connection, { path: '/test_helpers/requests', query }),
  }),
  tool({
    name: 'requests_read',
    title: 'Read a request',
    description:
      'Reads one recorded request with headers and bodies of both sides. Secrets are never recorded.',
    input: { id: id.describe('The `id` of a row of requests_search.') },
    run: (connection, input) => send(connection, { path: `/test_helpers/requests/${input.id}` }),
  }),
  tool({
    name: 'requests_wait',
    title: 'Wait for requests',
    description:
      'Answers as soon as as many matching requests have happened. Earlier ones count too, except with `after`. If they do ' +
      'not happen in time, it fails with the nearest requests and how they differ.',
    input: {
      ...filters,
      count: z.number().int().min(1).max(100).default(1),
      timeout: z.number().int().min(0).max(30).default(5).describe('In seconds.'),
    },
    run: (connection, query) => send(connection, { path: '/test_helpers/requests/wait', query }),
  }),
]

const traceTools = [
  tool({
    name: 'traces_read',
    title: 'Read a trace',
    description:
      'Reads what a request wrote, what was sent because of it, and how it was answered, as a tree of nodes.',
    input: { request_id: z.string().min(1).max(64).describe('The X-Request-Id of any of its requests.') },
    run: (connection, { request_id }) =>
      send(connection, { path: `/test_helpers/traces/${encodeURIComponent(request_id)}` }),
  }),
  tool({
    name: 'signatures_check',
    title: 'Check a signature',
    description:
      'Says whether the signature of a chat request, a callback or a webhook is right, and if not, which mistake it has: ' +
      'of a recorded request, or of one that is given with its address, headers and body.',
    input: {
      request: id.optional().describe('The `id` of a row of requests_search.'),
      url: z.string().min(1).max(8_192).optional().describe('The path with its query, or a URL.'),
      method: word('POST, if it is absent.'),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('With X-Signature, and for the newer recipe Date, Content-MD5 and Content-Type.'),
      body: z.string().max(262_144).optional().describe('The body as it was sent.'),
      channel_id: word('The channel. Without it, the address names it, or all channels are tried.'),
    },
    run: (connection, body) =>
      send(connection, { method: 'POST', path: '/test_helpers/signatures/check', body }),
  }),
]

const tokenTools = [
  tool({
    name: 'tokens_list',
    title: 'List tokens',
    description:
      'Lists the consents of the account, the newest first, each with the state of its newest pair of tokens.',
    input: {
      integration: word('The id of the integration.'),
      limit: z.number().int().min(1).max(100).default(25),
    },
    run: (connection, query) => send(connection, { path: '/test_helpers/tokens', query }),
  }),
  tool({
    name: 'tokens_read',
    title: 'Read the tokens of a consent',
    description:
      'Reads the pairs of a consent: when and by which requests they were issued, used and ended, and why.',
    input: { id: z.uuid().describe('The `id` of a family of tokens_list.') },
    run: (connection, input) => send(connection, { path: `/test_helpers/tokens/${input.id}` }),
  }),
  tool({
    name: 'tokens_explain',
    title: 'Explain a token',
    description:
      'Says what became of an access token, a refresh token or an authorization code. It is not stored.',
    input: { token: z.string().min(1).max(4_096) },
    run: (connection, body) =>
      send(connection, { method: 'POST', path: '/test_helpers/tokens/explain', body }),
  }),
]

const eventTools = [
  tool({
    name: 'events_search',
    title: 'Search events',
    description: 'Lists changes of records, the newest first, with the values before and after.',
    input: {
      type: word('The type of the event, for example lead_status_changed. Several are separated by commas.'),
      entity: word('lead, contact, company, customer, task or a list: with entity_id.'),
      entity_id: id.optional(),
      created_by: z.number().int().min(0).optional().describe('The id of the person. 0 is the server.'),
      from: z.number().int().min(0).optional().describe('Unix seconds.'),
      to: z.number().int().min(0).optional().describe('Unix seconds.'),
      page: z.number().int().min(1).default(1),
      limit: z.number().int().min(1).max(100).default(20),
    },
    run: (connection, { type, entity, entity_id, created_by, from, to, ...paging }) =>
      send(connection, {
        path: '/api/v4/events',
        query: {
          'filter[type]': type,
          'filter[entity]': entity,
          'filter[entity_id]': entity_id,
          'filter[created_by]': created_by,
          'filter[created_at][from]': from,
          'filter[created_at][to]': to,
          ...paging,
        },
      }),
  }),
  tool({
    name: 'events_read',
    title: 'Read an event',
    description: 'Reads one event.',
    input: { id: z.string().regex(/^\w{1,64}$/) },
    run: (connection, input) => send(connection, { path: `/api/v4/events/${input.id}` }),
  }),
]

const descriptionTools = [
  tool({
    name: 'operations_list',
    title: 'List operations',
    description: 'Lists operations of the API by words in their id, summary, path or group.',
    input: { query: z.string().max(200).default('').describe('Words, for example "leads create".') },
    run: (connection, { query }) => listOperations(connection, query),
  }),
  tool({
    name: 'operations_read',
    title: 'Read an operation',
    description:
      'Reads one operation of the API: parameters, schemas, and an example of a request and its response.',
    input: { operation: z.string().min(1).max(100).describe('The operationId, for example leads.create.') },
    run: (connection, { operation }) => readOperation(connection, operation),
  }),
  tool({
    name: 'docs_search',
    title: 'Search the guides',
    description: 'Finds sections of the guides that have all words.',
    input: { query: z.string().min(1).max(200) },
    run: (_connection, { query }) => searchGuides(query),
  }),
  tool({
    name: 'docs_read',
    title: 'Read a guide',
    description: 'Reads a guide in Markdown, or one section of it.',
    input: {
      file: z.string().min(1).max(200).describe('For example docs/request-log.md.'),
      heading: word('The heading of the section, as docs_search shows it.'),
    },
    run: (_connection, { file, heading }) => readGuide(file, heading),
  }),
]

/** In the order in which clients show them. */
export const tools: Tool[] = [
  ...requestTools,
  ...traceTools,
  ...tokenTools,
  ...eventTools,
  ...descriptionTools,
]
