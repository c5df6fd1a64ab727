import {
  type Card,
  ELEMENTS,
  elementType,
  type Kind,
  kinds,
  note,
  oneOf,
  type Story,
  type StoryField,
  say,
  sayOf,
  seconds,
} from './story-parts.ts'

/** One change of a record, as one or several events at the same time. */
type Action = (story: Story, card: Card) => void

/** Values that occur once, long ago, so that a filter can search for them. */
export const ONCE = { sale: 123_456_789, rate: 1 } as const

const sentences = [
  'Called back, asked for the offer of last week with the new prices.',
  'Wants to decide after the holidays; remind him by mail.',
  'The drawings are with the architect. Nothing to do for us before Monday.',
  'Спросил о скидке для постоянных клиентов, ждёт ответа до пятницы.',
]
const sentence = (story: Story) => `${oneOf(story, sentences)} (${story.told})`
const phone = (story: Story) => `+1555${String(Math.floor(story.random() * 1e7)).padStart(7, '0')}`
const uuid = ({ told }: Story) => `00000000-0000-4000-9000-${told.toString(16).padStart(12, '0')}`
const tags = ['hot', 'partner', 'exhibition', 'late payer', 'roof', 'garden'].map((name) => ({
  tag: { name },
}))

export const common: Action = (story, card) =>
  sayOf(story, card, {
    type: 'common_note_added',
    after: [note(story, card, 'common', { text: sentence(story) })],
  })

const status: Action = (story, card) => {
  const { pipeline_id, stages } = story.cast
  const before = card.stage
  card.stage = oneOf(
    story,
    stages.filter((id) => id !== before),
  )
  sayOf(story, card, {
    type: 'lead_status_changed',
    before: [{ lead_status: { id: before, pipeline_id } }],
    after: [{ lead_status: { id: card.stage, pipeline_id } }],
  })
}

/** The numbers of field types in the legacy operation. */
const legacyTypes: Record<string, number> = { text: 1, numeric: 2, checkbox: 3, select: 4, date: 6 }

const changeOf = ({ id, type }: StoryField, text: string, enum_id: number | null) => ({
  custom_field_value: { field_id: id, field_type: legacyTypes[type] ?? 1, enum_id, text },
})

function someValue(story: Story, field: StoryField) {
  const n = Math.floor(story.random() * 1_000)
  const { choice_once, choice_never } = story.cast
  const choices = field.enums.filter(({ id }) => id !== choice_once && id !== choice_never)
  if (choices.length === 0) return changeOf(field, field.type === 'text' ? `text ${n}` : String(n), null)
  const { id, value } = oneOf(story, choices)
  return changeOf(field, value, id)
}

const fields: Action = (story, card) => {
  const first = Math.floor(story.random() * story.cast.fields.length)
  const count = 1 + Math.floor(story.random() * 4)
  for (const { id, name, ...rest } of story.cast.fields.slice(first, first + count)) {
    const field = { id, name, ...rest }
    const before = story.random() < 0.4 ? [] : [someValue(story, field)]
    const after = [someValue(story, field)]
    sayOf(story, card, { type: 'custom_field_value_changed', field: { id, name }, before, after })
  }
}

const messages: Action = (story, card) => {
  const talk_id = card.id
  for (let n = Math.ceil(story.random() * 4); n > 0; n--) {
    const type = n % 2 === 0 ? 'incoming_chat_message' : 'outgoing_chat_message'
    sayOf(story, card, { type, after: [{ message: { id: uuid(story), talk_id, origin: 'bench' } }] })
  }
}

const call: Action = (story, card) => {
  const isIn = story.random() < 0.5
  const duration = Math.floor(story.random() * 600)
  const params = { uniq: uuid(story), duration, source: 'PBX', link: null, phone: phone(story) }
  const added = note(story, card, isIn ? 'call_in' : 'call_out', params)
  sayOf(story, card, { type: isIn ? 'incoming_call' : 'outgoing_call', after: [added] })
}

const sms: Action = (story, card) => {
  const params = { text: sentence(story), phone: phone(story) }
  sayOf(story, card, { type: 'outgoing_sms', after: [note(story, card, 'sms_out', params)] })
}

const sale: Action = (story, card) => {
  const before = [{ sale_field_value: { sale: card.price } }]
  card.price = (1 + Math.floor(story.random() * 40)) * 500
  sayOf(story, card, {
    type: 'sale_field_changed',
    before,
    after: [{ sale_field_value: { sale: card.price } }],
  })
}

const renamed: Action = (story, card) =>
  sayOf(story, card, {
    type: 'name_field_changed',
    before: [{ name_field_value: { name: `${kinds[card.kind]} ${card.id}` } }],
    after: [{ name_field_value: { name: `${kinds[card.kind]} ${card.id} (${story.told % 100})` } }],
  })

const responsible: Action = (story, card) => {
  // One person keeps their ten records.
  if (card.owner === story.cast.few) return common(story, card)
  const before = [{ responsible_user: { id: card.owner } }]
  card.owner = oneOf(story, story.cast.owners)
  const after = [{ responsible_user: { id: card.owner } }]
  sayOf(story, card, { type: 'entity_responsible_changed', before, after })
}

const tagged: Action = (story, card) => {
  const some = [oneOf(story, tags), oneOf(story, tags)].slice(story.random() < 0.7 ? 1 : 0)
  if (story.random() < 0.75) sayOf(story, card, { type: 'entity_tag_added', after: some })
  else sayOf(story, card, { type: 'entity_tag_deleted', before: some })
}

const task: Action = (story, card) => {
  const id = ++story.last.task
  const at = seconds(story)
  story.batch.tasks.push({
    account_id: story.cast.account_id,
    id,
    entity_type: card.kind,
    entity_id: card.id,
    responsible_user_id: card.owner,
    task_type_id: 1,
    text: sentence(story),
    result: null,
    duration: 0,
    complete_till: at + 86_400,
    is_completed: 0,
    is_deleted: 0,
    created_by: story.by,
    updated_by: story.by,
    created_at: at,
    updated_at: at,
  })
  say(story, 'task', id, { type: 'task_added' })
  story.open_tasks.push({ id, card })
}

const finish: Action = (story, card) => {
  const open = story.open_tasks.shift()
  if (!open) return task(story, card)
  const params = { text: sentence(story), task_id: open.id }
  say(story, 'task', open.id, { type: 'task_completed' })
  sayOf(story, open.card, {
    type: 'task_result_added',
    after: [note(story, open.card, 'task_result', params)],
  })
}

const rated: Action = (story, card) =>
  sayOf(story, card, { type: 'nps_rate_added', after: [{ nps: { rate: 6 + (story.told % 5) } }] })

const element: Action = (story, card) => {
  const id = 1 + Math.floor(story.random() * ELEMENTS)
  const type = elementType(story.cast)
  sayOf(story, card, { type: 'entity_linked', after: [{ link: { entity: { type, id } } }] })
  say(story, type, id, {
    type: 'lead_linked',
    after: [{ link: { entity: { type: kinds[card.kind], id: card.id } } }],
  })
}

/** The changes of existing records, weighted by frequency. */
export const actions: Record<Kind, readonly (readonly [weight: number, Action])[]> = {
  leads: [
    [18, status],
    [20, fields],
    [18, common],
    [10, messages],
    [6, call],
    [6, sale],
    [2, renamed],
    [2, responsible],
    [5, tagged],
    [6, task],
    [4, finish],
    [1, sms],
    [1, element],
    [0.4, rated],
  ],
  contacts: [
    [30, common],
    [20, messages],
    [15, call],
    [8, tagged],
    [6, renamed],
    [6, task],
    [5, sms],
    [2, responsible],
    [0.5, rated],
  ],
  companies: [
    [40, common],
    [10, renamed],
    [10, tagged],
    [10, task],
    [2, responsible],
  ],
}

const additions = {
  leads: ['lead_added', 'lead_created'],
  contacts: ['contact_added', 'contact_created'],
  companies: ['company_added', 'company_created'],
} as const

/** A new record with fields, tags and links. */
export const birth: Action = (story, card) => {
  const [type, created] = additions[card.kind]
  const after = [note(story, card, created, { text: `${kinds[card.kind]} ${card.id}` })]
  sayOf(story, card, { type, after })
  if (card.kind === 'leads' && story.random() < 0.6) fields(story, card)
  if (story.random() < 0.3) tagged(story, card)
  const other = story.cards.at(-2)
  if (card.kind !== 'leads' || other?.kind !== 'contacts') return
  sayOf(story, card, {
    type: 'contact_linked',
    after: [{ link: { entity: { type: 'contact', id: other.id } } }],
  })
  sayOf(story, other, { type: 'lead_linked', after: [{ link: { entity: { type: 'lead', id: card.id } } }] })
}

/** Everything that a filter finds only once, at the beginning of the log. */
export const longAgo: Action = (story, card) => {
  const { cast } = story
  const { pipeline_id, stage_once, choice_once, old_field, select } = cast
  story.by = cast.once
  common(story, card)
  story.by = card.owner
  const message = note(story, card, 'message_cashier', { status: 'created', text: 'A receipt, please' })
  sayOf(story, card, { type: 'message_to_cashier_note_added', after: [message] })
  sayOf(story, card, {
    type: 'lead_status_changed',
    before: [{ lead_status: { id: card.stage, pipeline_id } }],
    after: [{ lead_status: { id: stage_once, pipeline_id } }],
  })
  card.stage = stage_once
  sayOf(story, card, {
    type: 'entity_responsible_changed',
    before: [{ responsible_user: { id: card.owner } }],
    after: [{ responsible_user: { id: cast.once } }],
  })
  const chosen = [changeOf(select, 'once', choice_once)]
  const old = [changeOf(old_field, 'old', null)]
  for (const [{ id, name }, after] of [
    [select, chosen],
    [old_field, old],
  ] as const)
    sayOf(story, card, { type: 'custom_field_value_changed', field: { id, name }, before: [], after })
  const sales = (sale: number) => [{ sale_field_value: { sale } }]
  sayOf(story, card, { type: 'sale_field_changed', before: sales(card.price), after: sales(ONCE.sale) })
  card.price = ONCE.sale
  sayOf(story, card, { type: 'nps_rate_added', after: [{ nps: { rate: ONCE.rate } }] })
}
