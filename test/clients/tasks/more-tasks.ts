import type { createClient } from '../../../sdk/client.ts'

/** Tasks of integrations that set an account up. The types of the client are enough for all of them, too. */

type Client = ReturnType<typeof createClient>

const failed = (response: Response, error: unknown): Error =>
  new Error(`${response.status} ${JSON.stringify(error)}`)

/** A pipeline with a stage, whose new leads get a task. */
export async function addPipeline(client: Client): Promise<{ stages: string[]; action: string | undefined }> {
  const { data, error, response } = await client.POST('/api/v4/leads/pipelines', {
    body: [
      {
        name: 'Kitchens',
        sort: 20,
        is_main: false,
        is_unsorted_on: true,
        _embedded: {
          statuses: [
            { name: 'Measured', sort: 10, color: '#fffeb2' },
            { id: 142, name: 'Sold' },
          ],
        },
      },
    ],
  })
  const [pipeline] = data?._embedded.pipelines ?? []
  const stage = pipeline?._embedded.statuses.find(({ name }) => name === 'Measured')
  if (!pipeline || !stage) throw failed(response, error)
  const rule = await client.POST('/api/v4/leads/pipelines/{pipeline_id}/automations', {
    params: { path: { pipeline_id: pipeline.id } },
    body: [{ status_id: stage.id, entry: 'entered', action: { type: 'create_task', text: 'Call' } }],
  })
  return {
    stages: pipeline._embedded.statuses.map(({ name }) => name),
    action: rule.data?._embedded.automations[0]?.action.type,
  }
}

/** Values of several types of fields, read back from the record. */
export async function fillFields(client: Client): Promise<string[]> {
  const added = await client.POST('/api/v4/leads/custom_fields', {
    body: [
      { name: 'Width', type: 'numeric' },
      { name: 'Is urgent', type: 'checkbox' },
      { name: 'Wood', type: 'select', enums: [{ value: 'Oak', sort: 1 }] },
      { name: 'Delivery', type: 'date' },
      { name: 'Address', type: 'smart_address' },
      { name: 'Invoice to', type: 'legal_entity' },
    ],
  })
  const fields = new Map(added.data?._embedded.custom_fields.map(({ name, id }) => [name, id]))
  const entry = <Value extends object>(name: string, value: Value) => ({
    field_id: fields.get(name) ?? null,
    values: [value],
  })
  const { data, error, response } = await client.POST('/api/v4/leads', {
    body: [
      {
        name: 'A kitchen with fields',
        custom_fields_values: [
          entry('Width', { value: 2.5 }),
          entry('Is urgent', { value: true }),
          entry('Wood', { value: 'Oak' }),
          entry('Delivery', { value: '2026-12-01' }),
          entry('Address', { value: 'Madrid', enum_code: 'city' }),
          entry('Invoice to', { value: { name: 'Novak', entity_type: 2 } }),
        ],
      },
    ],
  })
  const id = data?._embedded.leads[0]?.id
  if (id === undefined) throw failed(response, error)
  const lead = await client.GET('/api/v4/leads/{id}', { params: { path: { id } } })
  return (lead.data?.custom_fields_values ?? []).map((field) => {
    switch (field.field_type) {
      case 'checkbox':
        return field.values[0]?.value ? 'yes' : 'no'
      case 'date':
        return new Date((field.values[0]?.value ?? 0) * 1000).toISOString()
      case 'smart_address':
        return `${field.values[0]?.enum_code} ${field.values[0]?.value}`
      case 'legal_entity':
        return field.values[0]?.value.name ?? ''
      case 'numeric':
      case 'select':
        return field.values[0]?.value ?? ''
      default:
        return field.field_type
    }
  })
}

/** A submission of a form, which is accepted. Returns the page that it came from. */
export async function acceptForm(client: Client): Promise<string | null | undefined> {
  const { data, error, response } = await client.POST('/api/v4/leads/unsorted/forms', {
    body: [
      {
        source_uid: 'site',
        source_name: 'Our site',
        metadata: { form_id: 'f1', form_name: 'Ask us', form_page: 'https://shop.example' },
        _embedded: { leads: [{ name: 'A question' }], contacts: [{ name: 'Ann Stone' }] },
      },
    ],
  })
  const uid = data?._embedded.unsorted[0]?.uid
  if (uid === undefined) throw failed(response, error)
  const waiting = await client.GET('/api/v4/leads/unsorted', {
    params: { query: { 'filter[category]': ['forms'] } },
  })
  await client.POST('/api/v4/leads/unsorted/{uid}/accept', { params: { path: { uid } }, body: {} })
  return waiting.data?._embedded.unsorted[0]?.metadata.form_page
}

/** An element of a list on the card of a lead, beside its main contact. */
export async function linkRecords(
  client: Client,
  { lead_id, contact_id }: { lead_id: number; contact_id: number },
): Promise<{ main: number | undefined; quantity: number | undefined }> {
  const list = await client.POST('/api/v4/catalogs', { body: [{ name: 'Tables' }] })
  const catalog_id = list.data?._embedded.catalogs[0]?.id
  if (catalog_id === undefined) throw failed(list.response, list.error)
  const element = await client.POST('/api/v4/catalogs/{catalog_id}/elements', {
    params: { path: { catalog_id } },
    body: [{ name: 'Oak table' }],
  })
  const [{ id = 0 } = {}] = element.data?._embedded.elements ?? []
  const params = { path: { id: lead_id } }
  const { error, response } = await client.POST('/api/v4/leads/{id}/link', {
    params,
    body: [
      { to_entity_id: contact_id, to_entity_type: 'contacts', metadata: { is_main: true } },
      { to_entity_id: id, to_entity_type: 'catalog_elements', metadata: { catalog_id, quantity: 2 } },
    ],
  })
  if (error) throw failed(response, error)
  const links = await client.GET('/api/v4/leads/{id}/links', { params })
  const all = links.data?._embedded.links ?? []
  return {
    main: all.find(({ metadata }) => metadata && 'main_contact' in metadata)?.to_entity_id,
    quantity: all.flatMap(({ metadata }) => (metadata && 'quantity' in metadata ? metadata.quantity : []))[0],
  }
}

/** A webhook that is subscribed, listed and taken away. */
export async function subscribe(client: Client): Promise<string[] | undefined> {
  const destination = 'https://shop.example/hook'
  const { error, response } = await client.POST('/api/v4/webhooks', {
    body: { destination, settings: ['add_lead', 'update_contact'] },
  })
  if (error) throw failed(response, error)
  const { data } = await client.GET('/api/v4/webhooks', {
    params: { query: { 'filter[destination]': destination } },
  })
  await client.DELETE('/api/v4/webhooks', { body: { destination } })
  return data?._embedded.webhooks[0]?.settings
}

/** The sum of a customer's purchases, and their points. */
export async function addPurchase(client: Client): Promise<{ sum?: number; points?: number }> {
  await client.PATCH('/api/v4/customers/mode', { body: { mode: 'periodicity', is_enabled: true } })
  const { data, error, response } = await client.POST('/api/v4/customers', { body: [{ name: 'Novak' }] })
  const customer_id = data?._embedded.customers[0]?.id
  if (customer_id === undefined) throw failed(response, error)
  const params = { path: { customer_id } }
  await client.POST('/api/v4/customers/{customer_id}/transactions', { params, body: [{ price: 100 }] })
  const points = await client.POST('/api/v4/customers/{customer_id}/bonus_points', {
    params,
    body: { earn: 5 },
  })
  const customer = await client.GET('/api/v4/customers/{id}', { params: { path: { id: customer_id } } })
  return { sum: customer.data?.ltv, points: points.data?.bonus_points }
}
