/** What the operations are about, in the order in which the document tells of them. */
export interface Subject {
  name: string
  description: string
  /** Addresses that belong to it; the first subject that claims one has it. */
  paths: RegExp
  /** An account that is not paid does not read it (402). */
  paid?: true
}

const card = '(?:leads|contacts|companies|customers)'

export const subjects: Subject[] = [
  {
    name: 'Authorization',
    description: 'The token endpoint, and where an account lives.',
    paths: /^\/oauth2\//,
  },
  {
    name: 'Account',
    description: 'The account, its people, and what they may do.',
    paths: /^\/api\/v4\/(?:account|users|roles|groups)\b/,
  },
  {
    name: 'Fields',
    description: 'Fields of every type that an account gives to its records, and their groups.',
    paths: /\/custom_fields\b|^\/private\/api\/v2\/json\/fields\b/,
  },
  {
    name: 'Notes',
    description: 'Notes, calls and attached files on the cards of records.',
    paths: /\/notes\b|^\/api\/v4\/(?:calls\b|\w+\/\{\w+\}\/files$)/,
    paid: true,
  },
  {
    name: 'Events',
    description: 'The log: every change of a record, who made it, and what was there before.',
    paths: /^\/api\/v4\/events\b|\/timeline$/,
    paid: true,
  },
  {
    name: 'Files',
    description: 'Files and their versions.',
    paths: /^\/drive\b/,
  },
  {
    name: 'Pipelines',
    description: 'Pipelines and stages of leads, reasons for which they are lost, stages of customers.',
    paths: /^\/api\/v4\/(?:leads\/(?:pipelines|loss_reasons)|customers\/(?:statuses|mode))\b/,
  },
  {
    name: 'Links',
    description: 'What records are linked to.',
    paths: new RegExp(`^/api/v4/${card}/(?:\\{\\w+\\}/)?(?:link|links|unlink)$`),
  },
  {
    name: 'Tags',
    description: 'Words that records are marked with.',
    paths: new RegExp(`^/api/v4/${card}/tags$`),
  },
  {
    name: 'Marketing',
    description: 'Advertising audiences, surveys and short links.',
    paths: /\/(?:audiences|surveys|nps|short_links)\b/,
  },
  {
    name: 'Purchases',
    description: 'What customers bought, and their points.',
    paths: /^\/api\/v4\/customers\/(?:\{\w+\}\/)?(?:transactions|bonus_points)\b/,
    paid: true,
  },
  ...(
    [
      ['Leads', 'leads', 'Sales in a pipeline.'],
      ['Contacts', 'contacts', 'People.'],
      ['Companies', 'companies', 'Organizations.'],
      ['Customers', 'customers', 'Who buys again and again.'],
    ] as const
  ).map(
    ([name, path, description]): Subject => ({
      name,
      description,
      paths: new RegExp(`^/api/v4/${path}\\b`),
      paid: true,
    }),
  ),
  {
    name: 'Search',
    description: 'Records of all kinds at once.',
    paths: /^\/api\/v4\/search$/,
    paid: true,
  },
  {
    name: 'Lists',
    description: 'Lists of goods, invoices or whatever an account keeps, and their elements.',
    paths: /^\/api\/v4\/catalogs\b/,
  },
  {
    name: 'Imports and bulk changes',
    description: 'Work on many records at once, which is done in the background and can be undone.',
    paths: /^\/api\/v4\/jobs\b/,
    paid: true,
  },
  { name: 'Tasks', description: 'What people have to do, and until when.', paths: /^\/api\/v4\/tasks\b/ },
  {
    name: 'Reply bot',
    description: 'What the bot listens for in chats, and what it answers.',
    paths: /^\/api\/v4\/chats\/intents\b/,
  },
  {
    name: 'Chats',
    description: 'Conversations with people on the other side of chat channels.',
    paths: /^\/api\/v4\/(?:chats|talks)\b/,
    paid: true,
  },
  {
    name: 'Chat channels',
    description:
      'What the provider of a chat channel calls. Every request is signed with the secret of the channel: ' +
      'X-Signature is the HMAC-SHA1 of its body, to the byte, in lower-case hex. With the headers Date and ' +
      'Content-MD5 it is that of the method, the digest, the type, the date and the path, one a line.',
    paths: /^\/v2\/origin\/custom\//,
  },
  {
    name: 'Sources',
    description: 'Where requests come from, as integrations tell it.',
    paths: /^\/api\/v4\/sources\b/,
  },
]
