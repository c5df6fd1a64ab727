import { type TSchema, Type } from 'typebox'
import { Nothing } from '../http/bodies/empty-lists.ts'
import { CsvDelimiter, CsvHeadings, Format } from '../http/bodies/forms.ts'
import { Self } from '../http/hal.ts'
import { conditional } from '../http/preconditions.ts'
import { KeysetList, KeysetPaged } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import { listedCards } from './lists/list-parameters.ts'
import { batchOf, drafts, patches, WithId } from './records/draft-schemas.ts'
import { type CardType, entityTypes } from './records/entity-types.ts'
import { Company, Contact, Customer, Lead } from './records/record-schemas.ts'
import { withNamesOf } from './records/views.ts'

const shown = { leads: Lead, contacts: Contact, companies: Company, customers: Customer } as const

const ListedQuery = Type.Object({
  ...KeysetPaged.properties,
  format: Format,
  delimiter: CsvDelimiter,
  headings: CsvHeadings,
})
const ById = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const RequestId = Type.Union([Type.String(), Type.Integer()])
const Added = Type.Object(
  { id: Type.Integer(), request_id: RequestId, _links: Self },
  { title: 'AddedRecord' },
)
const Edited = Type.Object(
  {
    id: Type.Integer(),
    name: Type.Optional(Type.String()),
    updated_at: Type.Integer(),
    request_id: RequestId,
    _links: Self,
  },
  { title: 'EditedRecord' },
)
const answerOf = (type: CardType, verb: 'Added' | 'Edited', item: TSchema) =>
  Type.Object(
    { _links: Self, _embedded: Type.Object({ [type]: Type.Array(item) }) },
    { title: `${verb}${entityTypes[type].tags[0]}` },
  )

/** The operations on the records of one kind. */
export const cardOperations = (type: CardType, { singular: one, tags } = entityTypes[type]) => ({
  list: {
    operationId: `${type}.list`,
    summary: `Lists ${type}, filtered, searched and sorted, one page at a time, or exports them.`,
    returns: `One page of ${type}.`,
    tags,
    ...listedCards(type),
    querystring: ListedQuery,
    response: { 200: KeysetList(type, shown[type]) },
  },
  get: {
    operationId: `${type}.get`,
    summary: `Shows one ${one}.`,
    returns: `The ${one}.`,
    tags,
    parameters: withAny(...withNamesOf[type]),
    params: ById,
    response: { 200: shown[type], 204: Nothing },
  },
  create: {
    operationId: `${type}.create`,
    summary: `Adds ${type}, all of the batch or none.`,
    returns: `The ids of the new ${type}.`,
    tags,
    body: Type.Array(drafts[type], batchOf),
    response: { 200: answerOf(type, 'Added', Added) },
  },
  updateMany: {
    operationId: `${type}.update_many`,
    summary: `Changes ${type}, all of the batch or none.`,
    returns: `The ids of the changed ${type}.`,
    tags,
    body: Type.Array(Type.Intersect([patches[type], WithId]), batchOf),
    response: { 200: answerOf(type, 'Edited', Edited) },
  },
  update: {
    operationId: `${type}.update`,
    summary: `Changes one ${one}.`,
    returns: `The id of the changed ${one}.`,
    tags,
    ...conditional,
    params: ById,
    body: patches[type],
    response: { 200: Edited },
  },
})

/** The operations on the trash, which are ours (V8): the platform's v4 cannot delete records. */
export const trashOperations = (type: CardType, { singular: one, tags } = entityTypes[type]) => ({
  remove: {
    operationId: `${type}.delete`,
    summary: `Moves one ${one} to the trash.`,
    returns: `The ${one} is in the trash.`,
    tags,
    params: ById,
  },
  deleteMany: {
    operationId: `${type}.delete_many`,
    summary: `Moves ${type} to the trash, all of the batch or none.`,
    returns: `The ${type} are in the trash.`,
    tags,
    body: Type.Array(Type.Object({ ...WithId.properties, request_id: Type.Optional(RequestId) }), batchOf),
  },
  restore: {
    operationId: `${type}.restore`,
    summary: `Takes one ${one} out of the trash.`,
    returns: `The id of the restored ${one}.`,
    tags,
    params: ById,
    response: { 200: Edited },
  },
})
