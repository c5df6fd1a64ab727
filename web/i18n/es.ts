import accounts from './es/accounts.json'
import app from './es/app.json'
import audit from './es/audit.json'
import automation from './es/automation.json'
import board from './es/board.json'
import cards from './es/cards.json'
import catalogs from './es/catalogs.json'
import chats from './es/chats.json'
import deliveries from './es/deliveries.json'
import developers from './es/developers.json'
import events from './es/events.json'
import fields from './es/fields.json'
import home from './es/home.json'
import imports from './es/import.json'
import incoming from './es/incoming.json'
import integrations from './es/integrations.json'
import lists from './es/lists.json'
import marketing from './es/marketing.json'
import pipelines from './es/pipelines.json'
import records from './es/records.json'
import reference from './es/reference.json'
import search from './es/search.json'
import tasks from './es/tasks.json'
import timeline from './es/timeline.json'
import traces from './es/traces.json'
import webhooks from './es/webhooks.json'
import type { TextsOfTables } from './texts-of-tables.ts'

/** All Spanish texts, one file per page. */
export default {
  ...accounts,
  ...app,
  ...audit,
  ...automation,
  ...board,
  ...cards,
  ...catalogs,
  ...chats,
  ...deliveries,
  ...developers,
  ...events,
  ...fields,
  ...home,
  ...imports,
  ...incoming,
  ...integrations,
  ...lists,
  ...marketing,
  ...pipelines,
  ...records,
  ...reference,
  ...search,
  ...tasks,
  ...timeline,
  ...traces,
  ...webhooks,
} satisfies Omit<TextsOfTables, 'signatures'>
