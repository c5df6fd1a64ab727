import type { EventAccount } from './event-account.ts'

/** A request of a page of the web application, and its reader. */
export interface PageWork {
  name: string
  path: string
  reader: keyof EventAccount['tokens']
}

/**
 * Lists, boards, cards, the search and the chart of the log, each for a person who sees everything and one who sees
 * little.
 */
export function pageWorks({ fixtures, marks }: Pick<EventAccount, 'fixtures' | 'marks'>): PageWork[] {
  const { pipeline_id, stages, fields, owners } = fixtures
  const stage = `filter[statuses][0][pipeline_id]=${pipeline_id}&filter[statuses][0][status_id]=${stages[0]}`
  const text = fields[0]?.id
  const pages: [name: string, path: string][] = [
    ...['created_at', 'updated_at', 'name', 'price', 'closed_at'].map((order): [string, string] => [
      `list by ${order}`,
      `leads?limit=50&order[${order}]=desc`,
    ]),
    [
      'list by price, of one person',
      `leads?limit=50&order[price]=desc&filter[responsible_user_id]=${owners[1]}`,
    ],
    ['list by creation, of a month', `leads?limit=50&order[created_at]=desc&${month(marks.month)}`],
    ['list by a field', `leads?limit=50&order[created_at]=desc&filter[custom_fields_values][${text}]=none`],
    ['list by words', 'leads?limit=50&order[created_at]=desc&query=lead%2012'],
    ['column of the board', `leads?limit=50&order[updated_at]=desc&${stage}`],
    ['totals', 'leads/totals'],
    ['totals of a month', `leads/totals?${month(marks.month)}`],
    ['totals of words', 'leads/totals?query=lead%2012'],
    ['search, one word that many have', 'search?query=lead'],
    ['search, two words', 'search?query=lead%2012'],
    ['search, nothing', 'search?query=nothing%20here'],
    ['tasks', 'tasks?limit=50&order[complete_till]=asc&filter[is_completed]=0'],
    ['totals of tasks', 'tasks/totals?filter[is_completed]=0'],
    ['chart of the log, a month', `events/counts?by=day&time_zone=UTC&${month(marks.month)}`],
    ['chart of one type', `events/counts?by=day&time_zone=UTC&filter[type]=lead_status_changed`],
  ]
  // The person who sees little cannot open the cards of others.
  const cards: typeof pages = [
    ['a card', `leads/${marks.recent[0]}?with=contacts,loss_reason,catalog_elements`],
    ['timeline', `leads/${marks.recent[0]}/timeline?limit=50`],
    ['timeline, busy', `leads/${marks.busy}/timeline?limit=50`],
    ['timeline, busy, of one kind', `leads/${marks.busy}/timeline?limit=50&filter[kind]=task`],
  ]
  const work = (reader: PageWork['reader'], [name, path]: [string, string]): PageWork => ({
    name: `${name}, ${reader}`,
    path: `/api/v4/${path}`,
    reader,
  })
  return [
    ...cards.map((card) => work('admin', card)),
    ...(['admin', 'fifth', 'few'] as const).flatMap((reader) => pages.map((page) => work(reader, page))),
  ]
}

const month = ({ from, to }: { from: number; to: number }) =>
  `filter[created_at][from]=${from}&filter[created_at][to]=${to}`
