import accounts from './ru/accounts.json'
import app from './ru/app.json'
import audit from './ru/audit.json'
import automation from './ru/automation.json'
import board from './ru/board.json'
import cards from './ru/cards.json'
import catalogs from './ru/catalogs.json'
import chats from './ru/chats.json'
import deliveries from './ru/deliveries.json'
import developers from './ru/developers.json'
import events from './ru/events.json'
import fields from './ru/fields.json'
import home from './ru/home.json'
import imports from './ru/import.json'
import incoming from './ru/incoming.json'
import integrations from './ru/integrations.json'
import lists from './ru/lists.json'
import marketing from './ru/marketing.json'
import pipelines from './ru/pipelines.json'
import records from './ru/records.json'
import reference from './ru/reference.json'
import search from './ru/search.json'
import tasks from './ru/tasks.json'
import timeline from './ru/timeline.json'
import traces from './ru/traces.json'
import webhooks from './ru/webhooks.json'
import type { TextsOfTables } from './texts-of-tables.ts'

/** All Russian texts, one file per page. */
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
