import { Type } from 'typebox'
import { ListOf } from '../../http/hal.ts'
import { Paged } from '../../http/queries/paging.ts'
import { choices, ids, orders } from '../../http/queries/query-parameters.ts'
import { fieldTypeNames } from '../fields/field-types.ts'
import type { FieldOwner } from '../fields/fields.ts'
import { CustomField, FieldInBatch, FieldPatch, FieldUsage, NewField } from '../fields/schemas.ts'
import type { FieldCollection } from './field-changes.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const InFieldCollection = Type.Object({ catalog_id: Type.Optional(Id) })
const ById = Type.Object({ catalog_id: Type.Optional(Id), id: Id })
const BATCH = { minItems: 1, maxItems: 250 }

const Fields = ListOf('custom_fields', CustomField)
const Href = Type.Object({ href: Type.String() })
/** Only lists of fields contain the page count. */
const PageOfFields = Type.Object({
  _total_items: Type.Integer(),
  _page: Type.Integer(),
  _page_count: Type.Integer(),
  _links: Type.Object({
    self: Href,
    prev: Type.Optional(Href),
    next: Type.Optional(Href),
    last: Type.Optional(Href),
  }),
  _embedded: Type.Object({ custom_fields: Type.Array(CustomField) }),
})

/** Where fields are: records of one kind. */
export interface Place {
  path: string
  owner: FieldOwner
  /** The name of its records, and its name in the ids of operations. */
  of: string
  id: string
}

export const places: Place[] = [
  { path: '/leads', owner: 'leads', of: 'leads', id: 'leads' },
  { path: '/contacts', owner: 'contacts', of: 'contacts', id: 'contacts' },
  { path: '/companies', owner: 'companies', of: 'companies', id: 'companies' },
  { path: '/customers', owner: 'customers', of: 'customers', id: 'customers' },
  { path: '/customers/segments', owner: 'segments', of: 'segments of customers', id: 'customers.segments' },
  { path: '/catalogs/:catalog_id', owner: 'catalogs', of: 'elements of one list', id: 'catalog' },
]

/** The collection of fields that a request names. */
export const collectionOf = ({ owner }: Place, { catalog_id }: { catalog_id?: number }): FieldCollection => ({
  owner,
  catalog_id: catalog_id ?? null,
})

/** The path of a place in a request. */
export const pathOf = ({ path }: Place, { catalog_id }: { catalog_id?: number }): string =>
  path.replace(':catalog_id', String(catalog_id))

/** The operations on the fields of one place. */
export const fieldOperations = ({ id, of }: Place) => ({
  list: {
    operationId: `${id}.custom_fields.list`,
    summary: `Lists the fields of ${of}.`,
    returns: 'One page of fields.',
    tags: ['Fields'],
    parameters: [...ids('id'), ...choices('type', fieldTypeNames), ...orders('sort', 'id')],
    params: InFieldCollection,
    querystring: Paged,
    response: { 200: PageOfFields },
  },
  get: {
    operationId: `${id}.custom_fields.get`,
    summary: `Shows one field of ${of}.`,
    returns: 'The field.',
    tags: ['Fields'],
    params: ById,
    response: { 200: CustomField },
  },
  create: {
    operationId: `${id}.custom_fields.create`,
    summary: `Adds fields to ${of}.`,
    returns: 'The new fields.',
    tags: ['Fields'],
    params: InFieldCollection,
    body: Type.Array(NewField, BATCH),
    response: { 201: Fields },
  },
  updateMany: {
    operationId: `${id}.custom_fields.update_many`,
    summary: `Changes fields of ${of}, all of the batch or none.`,
    returns: 'The fields after the change.',
    tags: ['Fields'],
    params: InFieldCollection,
    body: Type.Array(FieldInBatch, BATCH),
    response: { 200: Fields },
  },
  update: {
    operationId: `${id}.custom_fields.update`,
    summary: `Changes one field of ${of}.`,
    returns: 'The field after the change.',
    tags: ['Fields'],
    params: ById,
    body: FieldPatch,
    response: { 200: CustomField },
  },
  remove: {
    operationId: `${id}.custom_fields.delete`,
    summary: `Deletes one field of ${of}, with its values.`,
    returns: 'The field was deleted.',
    tags: ['Fields'],
    params: ById,
    querystring: Type.Object({
      origin: Type.Optional(
        Type.String({ maxLength: 255, description: 'The service to which the field belongs.' }),
      ),
    }),
  },
})

/** The operation that counts what the deletion of a field would affect. */
export const usageOperation = ({ id, of }: Place) => ({
  operationId: `${id}.custom_field.usage.get`,
  summary: `Counts the records that have a value in one field of ${of}.`,
  returns: 'The number of records with a value.',
  tags: ['Fields'],
  params: ById,
  response: { 200: FieldUsage },
})
