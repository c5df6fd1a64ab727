import type { Client } from './client.ts'
import type { Line } from './conversations.ts'
import type { Item } from './webhooks.ts'
import { BEGINNING, type World } from './world.ts'

/** The account in which the cases act. */
export interface Scene {
  here: World
  /** The token of an integration. */
  api: Client
  line: Line
  ada: string
  /** The administrator in chats. */
  adaInChats: string
  eve: string
  pipeline: string
  /** The incoming stage and the two after it. */
  stages: [incoming: string, first: string, second: string]
  customerStage: string
  catalog: number
  /** The source of the integration, for templates. */
  source: string
}

export const THEN = String(BEGINNING)
/** The clock moves on before each action. */
export const NOW = String(BEGINNING + 60)
export const [THEN_TEXT, NOW_TEXT] = ['2026-03-01 12:00:00', '2026-03-01 12:01:00']
export const TILL = BEGINNING + 3600

/** The item of a record from what is known of it: when it was created, and what differs from the draft. */
export type ItemOf = (scene: Scene, id: number, created: string, more: Item) => Item

const older = ({ ada }: Scene, created: string) => ({
  date_create: created,
  last_modified: NOW,
  created_user_id: ada,
  modified_user_id: ada,
  account_id: '1',
  created_at: created,
  updated_at: NOW,
})

export const leadItem: ItemOf = (scene, id, created, more) => ({
  id: String(id),
  name: 'Roof',
  status_id: scene.stages[1],
  price: '900',
  responsible_user_id: scene.ada,
  pipeline_id: scene.pipeline,
  ...older(scene, created),
  ...more,
})

export const personItem =
  (type: 'contact' | 'company'): ItemOf =>
  (scene, id, created, more) => ({
    id: String(id),
    name: 'Field',
    responsible_user_id: scene.ada,
    ...older(scene, created),
    type,
    ...more,
  })

export const customerItem: ItemOf = ({ ada, customerStage }, id, created, more) => ({
  id: String(id),
  name: 'Ann',
  next_price: '5',
  next_date: String(TILL),
  status_id: customerStage,
  responsible_user_id: ada,
  created_by: ada,
  modified_by: ada,
  date_create: created,
  date_modify: NOW,
  periodicity: '0',
  main_user_id: ada,
  account_id: '1',
  created_at: created,
  updated_at: NOW,
  ...more,
})

export const taskItem: ItemOf = ({ ada }, id, created, more) => ({
  id: String(id),
  task_type: '1',
  date_create: created === NOW ? NOW_TEXT : THEN_TEXT,
  text: 'Call',
  status: '0',
  account_id: '1',
  created_user_id: ada,
  last_modified: NOW_TEXT,
  responsible_user_id: ada,
  complete_till: '2026-03-01 13:00:00',
  main_user: ada,
  modified_by: ada,
  complete_before: String(TILL),
  created_at: created,
  updated_at: NOW,
  ...more,
})

export const elementItem: ItemOf = ({ ada, catalog }, id, created, more) => ({
  id: String(id),
  date_create: created,
  date_modify: NOW,
  created_by: ada,
  modified_by: ada,
  catalog_id: String(catalog),
  name: 'Tile',
  deleted: '0',
  created_at: created,
  updated_at: NOW,
  type: 'catalog',
  ...more,
})
