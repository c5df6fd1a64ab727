import { type Static, type TSchema, Type } from 'typebox'
import { AllTags, batchOf, drafts, patches, RequestId } from '../entities/records/draft-schemas.ts'
import { WrittenMetadata } from '../entities/writing/incoming-schemas.ts'
import { Self } from '../http/hal.ts'
import { OneOf } from '../http/published.ts'
import { Time } from '../http/times.ts'
import { categories } from './categories.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** Existing clients send 0 for what they do not know. */
const IdOrNone = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const ByUid = Type.Object({ uid: Type.String({ pattern: '^[0-9a-f]{60}$' }) })

/* Bodies. */

/** Clients send the name of a contact as a number. */
const AnyName = Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Null()]))

/** One record of an incoming lead: a new one, or an existing contact or company by its id. */
const modelOf = (members: Record<string, TSchema>, embedded: TSchema) =>
  Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({ ...members, name: AnyName, id: Type.Optional(Id), _embedded: Type.Optional(embedded) }),
        { maxItems: 1, description: 'At most one. An `id` names a contact or company that exists.' },
      ),
    ]),
  )

const { _embedded: _ofLead, ...leadMembers } = drafts.leads.properties
const { _embedded: _ofContact, ...contactMembers } = patches.contacts.properties
const { _embedded: _ofCompany, ...companyMembers } = patches.companies.properties
const Tags = Type.Union([
  Type.Null(),
  Type.Object({ tags: Type.Optional(AllTags) }, { title: 'WrittenTags' }),
])

const newOf = <Metadata extends TSchema>(metadata: Metadata, title: string) =>
  Type.Object(
    {
      source_uid: Type.String({ minLength: 1, maxLength: 255 }),
      source_name: Type.String({ minLength: 1, maxLength: 255 }),
      pipeline_id: Type.Optional(IdOrNone),
      created_at: Type.Optional(Time),
      metadata,
      request_id: RequestId,
      _embedded: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Object({
            leads: modelOf(leadMembers, Tags),
            contacts: modelOf(contactMembers, Tags),
            companies: modelOf(companyMembers, Tags),
          }),
        ]),
      ),
    },
    { title },
  )

const NewIncomingCall = newOf(WrittenMetadata.sip, 'NewIncomingCall')
const NewIncomingForm = newOf(WrittenMetadata.forms, 'NewIncomingForm')
export const NewIncomingCalls = Type.Array(NewIncomingCall, batchOf)
export const NewIncomingForms = Type.Array(NewIncomingForm, batchOf)
export type NewIncomingLead = Static<typeof NewIncomingCall> | Static<typeof NewIncomingForm>

const UserId = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'On whose behalf. Only administrators can name somebody else.',
  }),
)
const orNothing = <T extends TSchema>(body: T) => Type.Union([body, Type.Null()])
export const Acceptance = orNothing(
  Type.Object({ user_id: UserId, status_id: Type.Optional(IdOrNone) }, { title: 'Acceptance' }),
)
export const Decline = orNothing(Type.Object({ user_id: UserId }, { title: 'Decline' }))
export const LinkOfLead = Type.Object(
  {
    user_id: UserId,
    link: Type.Object({
      entity_id: Id,
      entity_type: Type.Enum(['leads', 'customers']),
      metadata: Type.Optional(
        Type.Object({
          contact_id: Type.Optional(
            Type.Integer({ ...Id, description: 'The contact that takes the place of the incoming one.' }),
          ),
        }),
      ),
    }),
  },
  { title: 'IncomingLeadLink' },
)

/* Answers. */

const Text = Type.Union([Type.String(), Type.Null()])
const Number_ = Type.Union([Type.Integer(), Type.Null()])
const Metadata = Type.Object(
  {
    from: Type.Optional(
      Type.Union([...Text.anyOf], { description: 'Where the call or message comes from.' }),
    ),
    to: Type.Optional(Type.Union([...Text.anyOf], { description: 'Where the message goes to.' })),
    phone: Type.Optional(Type.String({ description: 'The telephone number of the call.' })),
    called_at: Type.Optional(Type.Integer()),
    duration: Type.Optional(Type.Integer()),
    link: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'The address of the recording.' }),
    ),
    service_code: Type.Optional(Type.String()),
    uniq: Type.Optional(Type.String()),
    call_responsible: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
    form_id: Type.Optional(Text),
    form_type: Type.Optional(Type.String()),
    form_name: Type.Optional(Text),
    form_page: Type.Optional(Text),
    ip: Type.Optional(Text),
    form_sent_at: Type.Optional(Number_),
    referer: Type.Optional(Text),
    visitor_uid: Type.Optional(Text),
    received_at: Type.Optional(Type.Integer()),
    service: Type.Optional(Text),
    client: Type.Optional(Type.Object({ name: Text, avatar: Text })),
    origin: Type.Optional(
      Type.Object({
        chat_id: Type.String(),
        ref: Type.Union([...Text.anyOf], { description: 'Always null.' }),
        visitor_uid: Text,
      }),
    ),
    last_message_text: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'The latest message of the customer.' }),
    ),
    source_name: Type.Optional(Text),
  },
  { title: 'IncomingLeadMetadata', description: 'The members of the category.' },
)

const Linked = Type.Array(Type.Object({ id: Type.Integer(), _links: Self }))
const Records = Type.Object({ contacts: Linked, leads: Linked, companies: Linked })
const Uid = Type.String({ description: 'Sixty hexadecimal digits.' })
const category = OneOf(categories, {
  description: '`sip` is a call, `forms` a form of a site, `chats` a chat. Nothing creates `mail`.',
})

export const IncomingLead = Type.Object(
  {
    uid: Uid,
    source_uid: Text,
    source_name: Type.String(),
    category,
    pipeline_id: Type.Integer(),
    created_at: Type.Integer(),
    metadata: Metadata,
    account_id: Type.Integer(),
    _links: Self,
    _embedded: Records,
  },
  { title: 'IncomingLead' },
)
export type IncomingLead = Static<typeof IncomingLead>

export const AddedIncomingLeads = Type.Object({
  _total_items: Type.Integer(),
  _embedded: Type.Object({
    unsorted: Type.Array(
      Type.Object({
        uid: Uid,
        account_id: Type.Integer(),
        request_id: Type.Union([Type.String(), Type.Integer()]),
        _links: Self,
        _embedded: Records,
      }),
    ),
  }),
})

const sorted = { uid: Uid, pipeline_id: Type.Integer(), category, created_at: Type.Integer() }
export const Accepted = Type.Object({ ...sorted, _embedded: Records }, { title: 'AcceptedLead' })
export const Declined = Type.Object(
  { ...sorted, _embedded: Type.Object({ leads: Linked, contacts: Linked }) },
  { title: 'DeclinedLead' },
)
export const LinkedLead = Type.Object({
  uid: Uid,
  _embedded: Type.Object({ leads: Type.Optional(Linked), customers: Type.Optional(Linked) }),
})

const Count = Type.Object({
  total: Type.Integer({ description: 'Those that arrived in the time of the filter.' }),
})
export const Summary = Type.Object(
  {
    total: Type.Integer({ description: 'Incoming leads that arrived in the time of the filter.' }),
    accepted: Type.Integer({ description: 'Those that were accepted in that time.' }),
    declined: Type.Integer({ description: 'Those that were declined in that time.' }),
    average_sort_time: Type.Integer({ description: 'Seconds from arrival to acceptance or decline.' }),
    categories: Type.Object({ sip: Count, mail: Count, forms: Count, chats: Count }),
  },
  { title: 'IncomingLeadSummary' },
)
