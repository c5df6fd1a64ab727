import { type PageWork, pageWorks } from './page-works.ts'
import type { ScaleAccount } from './scale-account.ts'

/** Requests of the web application and of integrations whose cost could grow with the number of records. */
export function scaleWorks(account: ScaleAccount): PageWork[] {
  const lists = Object.entries(filtersOf(account)).flatMap(([name, filter]): [string, string][] => [
    ...['id][asc', 'updated_at][desc', 'name][asc', 'price][desc'].map((order): [string, string] => {
      const [column, direction] = order.split('][')
      return [`leads of ${name}, by ${column}`, `leads?limit=50&order[${column}]=${direction}&${filter}`]
    }),
    [`totals of ${name}`, `leads/totals?${filter}`],
  ])
  const admin = [...lists, ...othersOf(account)].map(
    ([name, path]): PageWork => ({
      name: `${name}, admin`,
      path: encodeURI(decodeURI(`/api/v4/${path}`)),
      reader: 'admin',
    }),
  )
  const known = new Set(admin.map(({ path }) => path))
  return [
    ...admin,
    ...pageWorks(account).filter(({ path, reader }) => reader !== 'admin' || !known.has(path)),
  ]
}

/** Filters of leads by what they choose. */
function filtersOf({ fixtures, marks, tags }: ScaleAccount): Record<string, string> {
  const { pipeline_id, stages, fields, select, owners } = fixtures
  const stage = `filter[statuses][0][pipeline_id]=${pipeline_id}&filter[statuses][0][status_id]=${stages[1]}`
  const [text, number, , day, flag] = fields.map(({ id }) => `filter[custom_fields_values][${id}]`)
  return {
    all: '',
    'a person': `filter[responsible_user_id]=${owners[1]}`,
    'a stage': stage,
    'a tag that many have': `filter[tags]=${tags.many}`,
    'a rare tag': `filter[tags]=${tags.rare}`,
    'a range of prices': 'filter[price][from]=1000&filter[price][to]=20000',
    'a price': 'filter[price]=123456789',
    'a range of creation': `filter[created_at][from]=${marks.month.from}&filter[created_at][to]=${marks.month.to}`,
    'a choice': `filter[custom_fields_values][${select.id}]=${select.enums[1]?.id}`,
    'a choice that nobody has': `filter[custom_fields_values][${select.id}]=${select.enums[5]?.id}`,
    'a checkbox': `${flag}=1`,
    'a range of numbers': `${number}[from]=1000&${number}[to]=5000`,
    'a number': `${number}=17`,
    'a range of days': `${day}[from]=1700000000&${day}[to]=1710000000`,
    'a text': `${text}=text%2017`,
    'a common word': 'query=lead',
    'two words': 'query=lead%2012',
    'one letter': 'query=l',
    'a rare word': `query=${marks.leads[0]}`,
    'a name': `filter[name]=lead%20${marks.leads[0]}`,
    'a person and a stage': `filter[responsible_user_id]=${owners[1]}&${stage}`,
    'a person and a choice': `filter[responsible_user_id]=${owners[1]}&filter[custom_fields_values][${select.id}]=${select.enums[1]?.id}`,
  }
}

const othersOf = ({ fixtures: { owners }, marks }: ScaleAccount): [name: string, path: string][] => [
  ['page 1,000 of ten', 'leads?limit=10&page=1000'],
  ['page 30 of 250, by price', 'leads?limit=250&page=30&order[price]=desc'],
  ['leads with contacts', 'leads?limit=250&with=contacts'],
  ['contacts', 'contacts?limit=250&with=leads'],
  ['contacts of words', 'contacts?limit=50&query=contact%2012'],
  ['totals of contacts', 'contacts/totals'],
  ['companies', 'companies?limit=250'],
  ['trash', 'leads?limit=50&with=only_deleted'],
  ['trash, by change', 'leads?limit=50&with=only_deleted&order[updated_at]=desc'],
  ['links', `leads/${marks.recent[0]}/links`],
  ['notes', 'leads/notes?limit=250'],
  ['notes by change', 'leads/notes?limit=50&order[updated_at]=desc'],
  ['page 100 of notes', 'leads/notes?limit=50&page=100'],
  ['tasks by creation', 'tasks?limit=50&order[created_at]=desc'],
  ['tasks of a person', `tasks?limit=50&filter[responsible_user_id]=${owners[1]}`],
  ['tasks of words', 'tasks?limit=50&query=call'],
  ['tags', 'leads/tags?limit=250'],
  ['account', 'account'],
]
