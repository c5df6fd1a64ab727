import accounts from './pt/accounts.json'
import app from './pt/app.json'
import audit from './pt/audit.json'
import automation from './pt/automation.json'
import board from './pt/board.json'
import cards from './pt/cards.json'
import catalogs from './pt/catalogs.json'
import chats from './pt/chats.json'
import deliveries from './pt/deliveries.json'
import developers from './pt/developers.json'
import events from './pt/events.json'
import fields from './pt/fields.json'
import home from './pt/home.json'
import imports from './pt/import.json'
import incoming from './pt/incoming.json'
import integrations from './pt/integrations.json'
import lists from './pt/lists.json'
import marketing from './pt/marketing.json'
import pipelines from './pt/pipelines.json'
import records from './pt/records.json'
import reference from './pt/reference.json'
import search from './pt/search.json'
import tasks from './pt/tasks.json'
import timeline from './pt/timeline.json'
import traces from './pt/traces.json'
import webhooks from './pt/webhooks.json'
import type { TextsOfTables } from './texts-of-tables.ts'

/** All Portuguese texts, one file per page. */
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
