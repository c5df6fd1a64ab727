import type { Answer } from './client.ts'
import { add } from './records.ts'
import {
  customerItem,
  elementItem,
  type ItemOf,
  leadItem,
  NOW,
  NOW_TEXT,
  personItem,
  type Scene,
  THEN,
  TILL,
  taskItem,
} from './webhook-items.ts'
import type { Item } from './webhooks.ts'

/** An action, and the item that it announces. The records that it needs exist before. */
export interface Action {
  act: () => Promise<unknown>
  item: () => Item
}

export type Case = (scene: Scene) => Promise<Action>

/** Sends a request of the public API, and fails if it is refused. */
export async function ask(
  { api }: Scene,
  method: string,
  path: string,
  body?: object,
): Promise<Answer['body']> {
  const answer = await api.send(method, `/api/v4/${path}`, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}

interface Kind {
  path: (scene: Scene) => string
  draft: (scene: Scene) => object
  item: ItemOf
  deleted: (scene: Scene, id: number) => Item
}

/** The cases of a kind of records, by the first part of the code. */
function casesOf({ path, draft, item, deleted }: Kind) {
  const added = (scene: Scene) => add(scene.api, path(scene), draft(scene))
  /** A change of a record that exists. */
  const change =
    (body: (scene: Scene) => object, more: (scene: Scene) => Item): Case =>
    async (scene) => {
      const id = await added(scene)
      return {
        act: () => ask(scene, 'PATCH', `${path(scene)}/${id}`, body(scene)),
        item: () => item(scene, id, THEN, more(scene)),
      }
    }
  const cases = {
    add: async (scene) => {
      let id = 0
      return {
        act: async () => {
          id = await added(scene)
        },
        item: () => item(scene, id, NOW, {}),
      }
    },
    update: change(
      () => ({ name: 'New' }),
      () => ({ name: 'New' }),
    ),
    responsible: change(
      ({ eve }) => ({ responsible_user_id: Number(eve) }),
      ({ ada, eve }) => ({ responsible_user_id: eve, old_responsible_user_id: ada }),
    ),
    delete: async (scene) => {
      const id = await added(scene)
      return {
        act: () => ask(scene, 'DELETE', `${path(scene)}/${id}`),
        item: () => deleted(scene, id),
      }
    },
    restore: async (scene) => {
      const id = await added(scene)
      await ask(scene, 'DELETE', `${path(scene)}/${id}`)
      return {
        act: () => ask(scene, 'POST', `${path(scene)}/${id}/restore`),
        item: () => item(scene, id, THEN, {}),
      }
    },
  } satisfies Record<string, Case>
  return { ...cases, change, added }
}

/** A text note on a record of a kind. `type` stands beside the note of a contact or company. */
const noteOn =
  (kind: { added: (scene: Scene) => Promise<number> }, path: string, element: string, type?: string): Case =>
  async (scene) => {
    const { ada } = scene
    const id = await kind.added(scene)
    let note = 0
    const metadata = JSON.stringify({ event_source: { id: Number(ada), author_name: 'Ada', type: 1 } })
    return {
      act: async () => {
        const drafts = [{ note_type: 'common', params: { text: 'Paid' } }]
        note = (await ask(scene, 'POST', `${path}/${id}/notes`, drafts))._embedded.notes[0].id
      },
      item: () => ({
        note: {
          text: 'Paid',
          attachement: '',
          date_create: NOW_TEXT,
          note_type: '4',
          element_type: element,
          element_id: String(id),
          catalog_id: '0',
          group_id: '0',
          timestamp_x: NOW_TEXT,
          account_id: '1',
          metadata,
          created_by: ada,
          modified_by: ada,
          main_user_id: ada,
          id: String(note),
          created_at: NOW,
          updated_at: NOW,
        },
        ...(type && { type }),
      }),
    }
  }

const leads = casesOf({
  path: () => 'leads',
  draft: ({ stages }) => ({ name: 'Roof', price: 900, status_id: Number(stages[1]) }),
  item: leadItem,
  deleted: ({ stages, pipeline }, id) => ({ id: String(id), status_id: stages[1], pipeline_id: pipeline }),
})
const person = (path: string, type: 'contact' | 'company') =>
  casesOf({
    path: () => path,
    draft: () => ({ name: 'Field' }),
    item: personItem(type),
    deleted: (_, id) => ({ id: String(id), type }),
  })
const contacts = person('contacts', 'contact')
const companies = person('companies', 'company')
const customers = casesOf({
  path: () => 'customers',
  draft: () => ({ name: 'Ann', next_price: 5, next_date: TILL }),
  item: customerItem,
  deleted: (_, id) => ({ id: String(id) }),
})
const tasks = casesOf({
  path: () => 'tasks',
  draft: () => ({ text: 'Call', complete_till: TILL }),
  item: taskItem,
  deleted: (_, id) => ({ id: String(id) }),
})
const elements = casesOf({
  path: ({ catalog }) => `catalogs/${catalog}/elements`,
  draft: () => ({ name: 'Tile' }),
  item: elementItem,
  deleted: ({ catalog }, id) => ({ id: String(id), catalog_id: String(catalog), type: 'catalog' }),
})

const toEve = ({ eve }: Scene) => ({ responsible_user_id: Number(eve) })
const fromAda = ({ ada, eve }: Scene) => ({
  responsible_user_id: eve,
  main_user_id: eve,
  old_responsible_user_id: ada,
})

export const recordCases = {
  add_lead: leads.add,
  update_lead: leads.update,
  status_lead: leads.change(
    ({ stages }) => ({ status_id: Number(stages[2]) }),
    ({ stages }) => ({ status_id: stages[2], old_status_id: stages[1] }),
  ),
  responsible_lead: leads.responsible,
  delete_lead: leads.delete,
  restore_lead: leads.restore,
  note_lead: noteOn(leads, 'leads', '2'),
  add_contact: contacts.add,
  update_contact: contacts.update,
  responsible_contact: contacts.responsible,
  delete_contact: contacts.delete,
  restore_contact: contacts.restore,
  note_contact: noteOn(contacts, 'contacts', '1', 'contact'),
  add_company: companies.add,
  update_company: companies.update,
  responsible_company: companies.responsible,
  delete_company: companies.delete,
  restore_company: companies.restore,
  note_company: noteOn(companies, 'companies', '3', 'company'),
  add_customer: customers.add,
  update_customer: customers.update,
  responsible_customer: customers.change(toEve, fromAda),
  delete_customer: customers.delete,
  note_customer: noteOn(customers, 'customers', '12'),
  add_task: tasks.add,
  update_task: tasks.change(
    () => ({ text: 'Call back', is_completed: true }),
    () => ({ text: 'Call back', status: '1', action_close: '1', old_text: 'Call' }),
  ),
  responsible_task: tasks.change(toEve, ({ ada, eve }) => ({
    responsible_user_id: eve,
    main_user: eve,
    old_responsible_user_id: ada,
  })),
  delete_task: tasks.delete,
  add_catalog_element: elements.add,
  update_catalog_element: elements.update,
  delete_catalog_element: elements.delete,
} satisfies Record<string, Case>
