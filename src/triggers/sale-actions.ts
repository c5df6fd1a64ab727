import { action, CHOSEN, isGiven, type Members } from './action.ts'
import { anyOf, anyRecord, assign, recordOf } from './record-actions.ts'
import type { Scene } from './scene.ts'

/** Moves a lead to another stage of its pipeline, which is added if there is none. */
export const leadMoved = action(
  'Moves a lead to another stage.',
  { lead: null, status_id: null },
  async (scene, set) => {
    const path = `leads/${await recordOf(scene, 'lead', set.lead)}`
    const { status_id, pipeline_id } = await scene.read(path)
    const status =
      set.status_id ?? (await otherStage(scene, `leads/pipelines/${pipeline_id}/statuses`, status_id))
    await scene.ask('PATCH', path, { status_id: status })
  },
)

/** Another ordinary stage than the present one; a new one if there is none. */
async function otherStage(scene: Scene, path: string, present: number): Promise<number> {
  const { _embedded } = await scene.ask('GET', path)
  const stages = _embedded.statuses as { id: number; is_editable?: boolean }[]
  const other = stages.find(({ id, is_editable = true }) => id !== present && is_editable)
  return other?.id ?? scene.add('status', path, { name: 'Second stage', sort: 500 })
}

const customerMoved = action(
  'Moves a customer to another stage.',
  { customer: null, status_id: null },
  async (scene, set) => {
    const path = `customers/${await recordOf(scene, 'customer', set.customer)}`
    const { status_id } = await scene.read(path)
    const status = set.status_id ?? (await otherStage(scene, 'customers/statuses', status_id))
    await scene.ask('PATCH', path, { status_id: status })
  },
)

/** The catalog of an action: the given one, the first of the account, or a new one. */
export async function catalogOf(scene: Scene, id: number | null): Promise<number> {
  if (id !== null) return id
  const { _embedded } = (await scene.ask('GET', 'catalogs?limit=50')) ?? {}
  const [first] = (_embedded?.catalogs ?? []) as { id: number }[]
  return first?.id ?? scene.add('catalog', 'catalogs', { name: 'Goods' })
}

export const ELEMENT = { catalog: null, element: null } as const

export async function elementOf(
  scene: Scene,
  set: { catalog: number | null; element: number | null },
): Promise<{ catalog: number; id: number; path: string }> {
  const catalog = await catalogOf(scene, set.catalog)
  const path = `catalogs/${catalog}/elements`
  const id = await scene.given('element', set.element, path, { name: 'New element' })
  return { catalog, id, path: `${path}/${id}` }
}

const LINK = { lead: null, ...ELEMENT, quantity: 1 } as const

async function linkElement(
  scene: Scene,
  set: { lead: number | null; catalog: number | null; element: number | null; quantity: number },
) {
  const lead = await recordOf(scene, 'lead', set.lead)
  const { catalog, id } = await elementOf(scene, set)
  const metadata = { catalog_id: catalog, quantity: set.quantity }
  const target = { to_entity_id: id, to_entity_type: 'catalog_elements' }
  await scene.ask('POST', `leads/${lead}/link`, [{ ...target, metadata }])
  return { lead, target: { ...target, metadata: { catalog_id: catalog } } }
}

const transaction = (summary: string) =>
  action(summary, { customer: null, price: 70 }, async (scene, { customer, price }) =>
    scene.add('transaction', `customers/${await recordOf(scene, 'customer', customer)}/transactions`, {
      price,
    }),
  )

const valueChanged = action(
  'Changes the value of a text field of a lead.',
  { lead: null, field: null, value: '' },
  async (scene, { lead, field, value }) => {
    const id = await recordOf(scene, 'lead', lead)
    const field_id = field ?? (await textField(scene))
    const values = [{ value: value || `Value ${scene.unique()}` }]
    await scene.ask('PATCH', `leads/${id}`, { custom_fields_values: [{ field_id, values }] })
  },
)

const FIELD = 'Triggered'

/** The field that an earlier action has added, or a new one. */
async function textField(scene: Scene): Promise<number> {
  const { _embedded } = (await scene.ask('GET', 'leads/custom_fields?limit=250')) ?? {}
  const fields = (_embedded?.custom_fields ?? []) as { id: number; name: string; type: string }[]
  const known = fields.find(({ name, type }) => name === FIELD && type === 'text')
  return known?.id ?? scene.add('field', 'leads/custom_fields', { name: FIELD, type: 'text' })
}

const TAG = { ...anyRecord, tag: 'Triggered' } as const

export const saleActions = {
  lead_status_changed: leadMoved,
  customer_status_changed: customerMoved,
  entity_linked: action('Links an element of a list to a lead.', LINK, linkElement),
  entity_unlinked: action(
    'Links an element of a list to a lead, and removes the link.',
    LINK,
    async (scene, set) => {
      const { lead, target } = await linkElement(scene, set)
      await scene.ask('POST', `leads/${lead}/unlink`, [target])
    },
  ),
  entity_tag_added: action('Adds a tag to a record.', TAG, async (scene, set) =>
    scene.ask('PATCH', (await anyOf(scene, set, 'lead')).path, { tags_to_add: [{ name: set.tag }] }),
  ),
  entity_tag_deleted: action('Adds a tag to a record, and removes it.', TAG, async (scene, set) => {
    const { path } = await anyOf(scene, set, 'lead')
    await scene.ask('PATCH', path, { tags_to_add: [{ name: set.tag }] })
    await scene.ask('PATCH', path, { tags_to_delete: [{ name: set.tag }] })
  }),
  sale_field_changed: action(
    'Changes the price of a lead.',
    { lead: null, price: CHOSEN },
    async (scene, { lead, price }) => {
      const path = `leads/${await recordOf(scene, 'lead', lead)}`
      const present = await scene.read(path)
      await scene.ask('PATCH', path, { price: isGiven(price) ? price : present.price + 150 })
    },
  ),
  name_field_changed: action(
    'Changes the name of a record.',
    { ...anyRecord, name: '' } as const,
    async (scene, set) =>
      scene.ask('PATCH', (await anyOf(scene, set, 'company')).path, {
        name: set.name || `Name ${scene.unique()}`,
      }),
  ),
  ltv_field_changed: transaction('Adds a purchase, which changes what the customer has bought in total.'),
  transaction_added: transaction('Adds a purchase of a customer.'),
  custom_field_value_changed: valueChanged,
  entity_responsible_changed: action(
    'Makes another person responsible for a record.',
    { ...anyRecord, user: null },
    async (scene, set) => assign(scene, (await anyOf(scene, set, 'contact')).path, set.user),
  ),
  entity_merged: action(
    'Merges two contacts.',
    { contact: null, other: null },
    async (scene, { contact, other }) => {
      const id = await recordOf(scene, 'contact', contact)
      const merged = await scene.given('other', other, 'contacts', { name: 'New contact' })
      await scene.ask('POST', 'contacts/merge', { id, merge: [merged] })
    },
  ),
}

export const elementAdded = action(
  'Adds an element to a list.',
  { catalog: null, name: 'New element' } as Members & { catalog: null; name: string },
  async (scene, { catalog, name }) =>
    scene.add('element', `catalogs/${await catalogOf(scene, catalog)}/elements`, { name }),
)
export const elementChanged = action(
  'Changes the name of an element of a list.',
  { ...ELEMENT, name: '' },
  async (scene, set) =>
    scene.ask('PATCH', (await elementOf(scene, set)).path, { name: set.name || `Name ${scene.unique()}` }),
)
export const elementDeleted = action('Deletes an element of a list.', ELEMENT, async (scene, set) =>
  scene.ask('DELETE', (await elementOf(scene, set)).path),
)
