import {
  type Static,
  type TNull,
  type TNumber,
  type TOptional,
  type TSchema,
  type TUnion,
  Type,
} from 'typebox'
import { WrittenValues } from '../../custom-fields/custom-fields.ts'
import { Time } from '../../http/times.ts'
import type { EntityType } from './entity-types.ts'

/** Request bodies of records. Members that a kind does not have are ignored, like all unknown members (V2). */

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const UserId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Name = Type.String({ maxLength: 255 })
const nullable = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()])

const TagReference = Type.Object(
  {
    id: Type.Optional(Id),
    name: Type.Optional(
      Type.String({ ...Name, description: 'In the place of the id. A name that no tag has creates one.' }),
    ),
  },
  { title: 'WrittenTag' },
)
export type TagReference = Static<typeof TagReference>
const Tags = Type.Union([Type.Array(TagReference, { maxItems: 250 }), Type.Null()])
/** The tags of a record as a whole. */
export const AllTags = Type.Union([...Tags.anyOf], {
  description: 'Replaces all tags of the record. Null removes them.',
})

export const Linked = Type.Object(
  {
    id: Id,
    is_main: Type.Optional(Type.Boolean({ description: 'Whether a contact becomes the main one.' })),
    metadata: Type.Optional(
      Type.Object(
        {
          catalog_id: Type.Optional(Id),
          quantity: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 })),
          price_id: Type.Optional(nullable(Id)),
        },
        { description: 'Of an element of a list.' },
      ),
    ),
  },
  { title: 'WrittenLink' },
)
export type Linked = Static<typeof Linked>
const linkedList = (description: string) =>
  Type.Union([Type.Array(Linked, { maxItems: 250 }), Type.Null()], { description })
const LinkedList = linkedList('Records to link. Links that exist stay.')
const OneCompany = linkedList('Links a company. A lead or a contact has one: another one replaces it.')

export const RequestId = Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]))

const embedded = {
  tags: Type.Optional(AllTags),
  contacts: Type.Optional(LinkedList),
  companies: Type.Optional(OneCompany),
  leads: Type.Optional(LinkedList),
  customers: Type.Optional(LinkedList),
  catalog_elements: Type.Optional(LinkedList),
}

/** The source of a new lead. Its `type` is always `widget`. */
export const WrittenSource = Type.Optional(
  Type.Object({
    external_id: Type.Optional(Type.String({ maxLength: 36, description: 'Of the calling integration.' })),
    type: Type.Optional(Type.String({ maxLength: 32, description: 'Always `widget`.' })),
  }),
)

/** Members of all kinds. */
const common = {
  name: Type.Optional(nullable(Name)),
  responsible_user_id: Type.Optional(UserId),
  created_by: Type.Optional(UserId),
  updated_by: Type.Optional(UserId),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
  custom_fields_values: Type.Optional(WrittenValues),
  tags_to_add: Type.Optional(Tags),
  tags_to_delete: Type.Optional(Tags),
  request_id: RequestId,
}

/** The ids that sites of an account give their visitors; see visitors.ts. */
export const VISITOR_UID = /^[A-Za-z0-9_-]{1,64}$/
/** Null and an empty text name no visitor: forms send the empty value of a cookie that is not set. */
const VisitorUid = Type.Optional(
  nullable(Type.String({ maxLength: 64, pattern: `^$|${VISITOR_UID.source}` })),
)

export const Price = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
type OptionalPrice = TOptional<TUnion<[TNumber, TNull]>>

/** An amount and its exact member, which clients write back beside it (R24). */
export const writtenAmount = <M extends 'price' | 'next_price'>(member: M) => {
  const exact = `${member}_with_minor_units` as const
  return {
    [member]: Type.Optional(
      Type.Union([Price, Type.Null()], {
        description: `In the currency of the account. A fraction is kept in \`${exact}\`.`,
      }),
    ),
    [exact]: Type.Optional(
      Type.Union([Price, Type.Null()], {
        description: `The exact amount of a record that is written back as it was read. \`${member}\` must be its whole part.`,
      }),
    ),
  } as { [name in M | `${M}_with_minor_units`]: OptionalPrice }
}

const own = {
  leads: {
    ...writtenAmount('price'),
    status_id: Type.Optional(Id),
    pipeline_id: Type.Optional(Id),
    loss_reason_id: Type.Optional(nullable(UserId)),
    closed_at: Type.Optional(nullable(Time)),
    visitor_uid: VisitorUid,
  },
  contacts: {
    first_name: Type.Optional(nullable(Name)),
    last_name: Type.Optional(nullable(Name)),
    visitor_uid: VisitorUid,
  },
  companies: {},
  customers: {
    ...writtenAmount('next_price'),
    next_date: Type.Optional(nullable(Time)),
    status_id: Type.Optional(Id),
    periodicity: Type.Optional(nullable(Amount)),
  },
  catalog_elements: {},
} as const

/** Only customers have segments. */
const segments = {
  segments: Type.Optional(
    Type.Union([Type.Array(Type.Object({ id: Id }), { maxItems: 100 }), Type.Null()], {
      description: 'Replaces the segments that were chosen by hand. Null removes them.',
    }),
  ),
}
const embeddedIn = {
  leads: embedded,
  contacts: embedded,
  companies: embedded,
  customers: { ...embedded, ...segments },
  catalog_elements: embedded,
} as const

const embeddedOf = <T extends Record<string, TSchema>>(members: T) =>
  Type.Optional(Type.Union([Type.Object(members), Type.Null()]))

const draftOf = <T extends EntityType>(type: T) => ({
  ...common,
  ...own[type],
  _embedded: embeddedOf(embeddedIn[type]),
})

/** Existing clients send 0 for unknown values of a new record. */
const IdOrNone = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

export const drafts = {
  leads: Type.Object(
    {
      ...draftOf('leads'),
      status_id: IdOrNone,
      pipeline_id: IdOrNone,
      _embedded: embeddedOf({ ...embedded, source: WrittenSource }),
    },
    { title: 'NewLead' },
  ),
  contacts: Type.Object(draftOf('contacts'), { title: 'ContactDraft' }),
  companies: Type.Object(draftOf('companies'), { title: 'CompanyDraft' }),
  customers: Type.Object(
    { ...draftOf('customers'), status_id: IdOrNone, name: Type.String({ minLength: 1, maxLength: 255 }) },
    { title: 'NewCustomer' },
  ),
  catalog_elements: Type.Object({
    ...draftOf('catalog_elements'),
    name: Type.String({ minLength: 1, maxLength: 255 }),
  }),
} as const

export const patches = {
  leads: Type.Object(draftOf('leads'), { title: 'LeadDraft' }),
  contacts: Type.Object(draftOf('contacts'), { title: 'ContactDraft' }),
  companies: Type.Object(draftOf('companies'), { title: 'CompanyDraft' }),
  customers: Type.Object(draftOf('customers'), { title: 'CustomerDraft' }),
  catalog_elements: Type.Object(draftOf('catalog_elements')),
} as const

/** A body of any kind; each kind reads only its own members. */
export type RecordDraft = Partial<Static<(typeof drafts)['leads']>> &
  Partial<Static<(typeof patches)['contacts']>> &
  Partial<Static<(typeof patches)['customers']>>

export const WithId = Type.Object({ id: Id })
export type RecordPatch = RecordDraft & { id: number }

/** The largest body of a batch in bytes. */
export const BATCH_BODY = 2 * 1024 * 1024
export const batchOf = { minItems: 1, maxItems: 250 }
