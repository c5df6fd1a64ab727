/** A group of operations. The document lists the groups in this order: what a newcomer needs first, then what belongs together. */
export interface Tag {
  name: string
  description: string
  /** An unpaid account cannot read them (402). */
  paid?: true
}

export const tags: Tag[] = [
  { name: 'Authorization', description: 'The token endpoint, and the address of an account.' },
  { name: 'Account', description: 'The account, its people and their rights.' },
  { name: 'Leads', description: 'Sales in a pipeline.', paid: true },
  {
    name: 'Incoming leads',
    description: 'Leads that wait until somebody accepts or declines them.',
    paid: true,
  },
  { name: 'Contacts', description: 'People.', paid: true },
  { name: 'Companies', description: 'Organizations.', paid: true },
  { name: 'Customers', description: 'People and companies that buy regularly.', paid: true },
  { name: 'Purchases', description: 'Purchases of customers, and their points.', paid: true },
  { name: 'Lists', description: 'Lists of products, invoices or anything else, and their elements.' },
  { name: 'Tasks', description: 'What people have to do, and until when.' },
  { name: 'Notes', description: 'Notes, calls and attached files on the cards of records.', paid: true },
  {
    name: 'Events',
    description: 'The log: every change of a record, who made it, and the values before and after.',
    paid: true,
  },
  { name: 'Files', description: 'Files and their versions.' },
  {
    name: 'Fields',
    description: 'Fields of every type that an account adds to its records, and their groups.',
  },
  { name: 'Pipelines', description: 'Pipelines and stages of leads, loss reasons, and stages of customers.' },
  { name: 'Links', description: 'Links between records.' },
  { name: 'Tags', description: 'Words that mark records.' },
  { name: 'Subscriptions', description: 'Who follows a lead or a customer.', paid: true },
  { name: 'Search', description: 'Records of all kinds at once.', paid: true },
  {
    name: 'Imports and bulk changes',
    description: 'Work on many records at once. It runs in the background and can be undone.',
    paid: true,
  },
  {
    name: 'Automation',
    description: 'What happens by itself to leads that enter a stage, and what has happened.',
  },
  {
    name: 'Chat channels',
    description:
      'The operations for the provider of a chat channel. Every request is signed with the secret of the channel: ' +
      'X-Signature is the HMAC-SHA1 of the exact bytes of the body, in lower-case hex. If the headers Date and ' +
      'Content-MD5 are present, it is the HMAC-SHA1 of the method, the digest, the type, the date and the path, one per line.',
  },
  { name: 'Chats', description: 'Conversations with people on the other side of chat channels.', paid: true },
  { name: 'Chat templates', description: 'Prepared messages of chats, and their reviews.' },
  { name: 'Reply bot', description: 'The phrases that the bot recognizes in chats, and its replies.' },
  { name: 'Sources', description: 'The sources of requests, as integrations report them.' },
  { name: 'Widgets', description: 'The widgets of integrations, and their settings in an account.' },
  { name: 'Website buttons', description: 'Buttons that open a form on the sites of the company.' },
  { name: 'Marketing', description: 'Advertising audiences, surveys and short links.' },
  {
    name: 'Test helpers',
    description: 'For tests of integrations: what was asked, answered and sent. Only in development.',
  },
]

const paid = new Set(tags.flatMap((tag) => (tag.paid ? [tag.name] : [])))

export const isPaid = (names: readonly string[] = []): boolean => names.some((name) => paid.has(name))
