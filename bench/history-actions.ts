import {
  addEvent,
  addEventOf,
  type Card,
  ELEMENTS,
  elementType,
  type HistoryField,
  type HistoryState,
  integrationOf,
  type Kind,
  kinds,
  note,
  oneOf,
  seconds,
} from './history-state.ts'

/** One change of a record, as one or several events at the same time. */
type Action = (history: HistoryState, card: Card) => void

/** Values that occur once, long ago, so that a filter can search for them. */
export const ONCE = { sale: 123_456_789, rate: 1 } as const

const sentences = [
  'Called back, asked for the offer of last week with the new prices.',
  'Wants to decide after the holidays; send a reminder by mail.',
  'The drawings are with the architect. Nothing to do for us before Monday.',
  'Спросил о скидке для постоянных клиентов, ждёт ответа до пятницы.',
]
const sentence = (history: HistoryState) => `${oneOf(history, sentences)} (${history.generated})`
const phone = (history: HistoryState) => `+1555${String(Math.floor(history.random() * 1e7)).padStart(7, '0')}`
const uuid = ({ generated }: HistoryState) =>
  `00000000-0000-4000-9000-${generated.toString(16).padStart(12, '0')}`
const tags = ['hot', 'partner', 'exhibition', 'late payer', 'roof', 'garden'].map((name) => ({
  tag: { name },
}))

export const common: Action = (history, card) =>
  addEventOf(history, card, {
    type: 'common_note_added',
    after: [note(history, card, 'common', { text: sentence(history) })],
  })

const status: Action = (history, card) => {
  const { pipeline_id, stages } = history.fixtures
  const before = card.stage
  card.stage = oneOf(
    history,
    stages.filter((id) => id !== before),
  )
  addEventOf(history, card, {
    type: 'lead_status_changed',
    before: [{ lead_status: { id: before, pipeline_id } }],
    after: [{ lead_status: { id: card.stage, pipeline_id } }],
  })
}

/** The numbers of field types in the legacy operation. */
const legacyTypes: Record<string, number> = { text: 1, numeric: 2, checkbox: 3, select: 4, date: 6 }

const changeOf = ({ id, type }: HistoryField, text: string, enum_id: number | null) => ({
  custom_field_value: { field_id: id, field_type: legacyTypes[type] ?? 1, enum_id, text },
})

function someValue(history: HistoryState, field: HistoryField) {
  const n = Math.floor(history.random() * 1_000)
  const { choice_once, choice_never } = history.fixtures
  const choices = field.enums.filter(({ id }) => id !== choice_once && id !== choice_never)
  if (choices.length === 0) return changeOf(field, field.type === 'text' ? `text ${n}` : String(n), null)
  const { id, value } = oneOf(history, choices)
  return changeOf(field, value, id)
}

const fields: Action = (history, card) => {
  const first = Math.floor(history.random() * history.fixtures.fields.length)
  const count = 1 + Math.floor(history.random() * 4)
  for (const { id, name, ...rest } of history.fixtures.fields.slice(first, first + count)) {
    const field = { id, name, ...rest }
    const before = history.random() < 0.4 ? [] : [someValue(history, field)]
    const after = [someValue(history, field)]
    addEventOf(history, card, { type: 'custom_field_value_changed', field: { id, name }, before, after })
  }
}

const messages: Action = (history, card) => {
  const talk_id = card.id
  for (let n = Math.ceil(history.random() * 4); n > 0; n--) {
    const type = n % 2 === 0 ? 'incoming_chat_message' : 'outgoing_chat_message'
    addEventOf(history, card, { type, after: [{ message: { id: uuid(history), talk_id, origin: 'bench' } }] })
  }
}

const call: Action = (history, card) => {
  const isIn = history.random() < 0.5
  const duration = Math.floor(history.random() * 600)
  const params = { uniq: uuid(history), duration, source: 'PBX', link: null, phone: phone(history) }
  const added = note(history, card, isIn ? 'call_in' : 'call_out', params)
  addEventOf(history, card, { type: isIn ? 'incoming_call' : 'outgoing_call', after: [added] })
}

const sms: Action = (history, card) => {
  const params = { text: sentence(history), phone: phone(history) }
  addEventOf(history, card, { type: 'outgoing_sms', after: [note(history, card, 'sms_out', params)] })
}

const sale: Action = (history, card) => {
  const before = [{ sale_field_value: { sale: card.price } }]
  card.price = (1 + Math.floor(history.random() * 40)) * 500
  addEventOf(history, card, {
    type: 'sale_field_changed',
    before,
    after: [{ sale_field_value: { sale: card.price } }],
  })
}

const renamed: Action = (history, card) =>
  addEventOf(history, card, {
    type: 'name_field_changed',
    before: [{ name_field_value: { name: `${kinds[card.kind]} ${card.id}` } }],
    after: [{ name_field_value: { name: `${kinds[card.kind]} ${card.id} (${history.generated % 100})` } }],
  })

const responsible: Action = (history, card) => {
  // One person keeps their ten records.
  if (card.owner === history.fixtures.few) return common(history, card)
  const before = [{ responsible_user: { id: card.owner } }]
  card.owner = oneOf(history, history.fixtures.owners)
  const after = [{ responsible_user: { id: card.owner } }]
  addEventOf(history, card, { type: 'entity_responsible_changed', before, after })
}

const tagged: Action = (history, card) => {
  const some = [oneOf(history, tags), oneOf(history, tags)].slice(history.random() < 0.7 ? 1 : 0)
  if (history.random() < 0.75) addEventOf(history, card, { type: 'entity_tag_added', after: some })
  else addEventOf(history, card, { type: 'entity_tag_deleted', before: some })
}

const task: Action = (history, card) => {
  const id = ++history.last.task
  const at = seconds(history)
  history.batch.tasks.push({
    account_id: history.fixtures.account_id,
    id,
    entity_type: card.kind,
    entity_id: card.id,
    responsible_user_id: card.owner,
    task_type_id: 1,
    text: sentence(history),
    result: null,
    duration: 0,
    complete_till: at + 86_400,
    is_completed: 0,
    is_deleted: 0,
    created_by: history.by,
    updated_by: history.by,
    created_by_integration: integrationOf(history),
    updated_by_integration: integrationOf(history),
    created_at: at,
    updated_at: at,
  })
  addEvent(history, 'task', id, { type: 'task_added' })
  history.open_tasks.push({ id, card })
}

const finish: Action = (history, card) => {
  const open = history.open_tasks.shift()
  if (!open) return task(history, card)
  const params = { text: sentence(history), task_id: open.id }
  addEvent(history, 'task', open.id, { type: 'task_completed' })
  addEventOf(history, open.card, {
    type: 'task_result_added',
    after: [note(history, open.card, 'task_result', params)],
  })
}

const rated: Action = (history, card) =>
  addEventOf(history, card, {
    type: 'nps_rate_added',
    after: [{ nps: { rate: 6 + (history.generated % 5) } }],
  })

const element: Action = (history, card) => {
  const id = 1 + Math.floor(history.random() * ELEMENTS)
  const type = elementType(history.fixtures)
  addEventOf(history, card, { type: 'entity_linked', after: [{ link: { entity: { type, id } } }] })
  addEvent(history, type, id, {
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
export const creation: Action = (history, card) => {
  const [type, created] = additions[card.kind]
  const after = [note(history, card, created, { text: `${kinds[card.kind]} ${card.id}` })]
  addEventOf(history, card, { type, after })
  if (card.kind === 'leads' && history.random() < 0.6) fields(history, card)
  if (history.random() < 0.3) tagged(history, card)
  const other = history.cards.at(-2)
  if (card.kind !== 'leads' || other?.kind !== 'contacts') return
  addEventOf(history, card, {
    type: 'contact_linked',
    after: [{ link: { entity: { type: 'contact', id: other.id } } }],
  })
  addEventOf(history, other, {
    type: 'lead_linked',
    after: [{ link: { entity: { type: 'lead', id: card.id } } }],
  })
}

/** Everything that a filter finds only once, at the beginning of the log. */
export const longAgo: Action = (history, card) => {
  const { fixtures } = history
  const { pipeline_id, stage_once, choice_once, old_field, select } = fixtures
  history.by = fixtures.once
  common(history, card)
  history.by = card.owner
  const message = note(history, card, 'message_cashier', { status: 'created', text: 'A receipt, please' })
  addEventOf(history, card, { type: 'message_to_cashier_note_added', after: [message] })
  addEventOf(history, card, {
    type: 'lead_status_changed',
    before: [{ lead_status: { id: card.stage, pipeline_id } }],
    after: [{ lead_status: { id: stage_once, pipeline_id } }],
  })
  card.stage = stage_once
  addEventOf(history, card, {
    type: 'entity_responsible_changed',
    before: [{ responsible_user: { id: card.owner } }],
    after: [{ responsible_user: { id: fixtures.once } }],
  })
  const chosen = [changeOf(select, 'once', choice_once)]
  const old = [changeOf(old_field, 'old', null)]
  for (const [{ id, name }, after] of [
    [select, chosen],
    [old_field, old],
  ] as const)
    addEventOf(history, card, { type: 'custom_field_value_changed', field: { id, name }, before: [], after })
  const sales = (sale: number) => [{ sale_field_value: { sale } }]
  addEventOf(history, card, {
    type: 'sale_field_changed',
    before: sales(card.price),
    after: sales(ONCE.sale),
  })
  card.price = ONCE.sale
  addEventOf(history, card, { type: 'nps_rate_added', after: [{ nps: { rate: ONCE.rate } }] })
}
