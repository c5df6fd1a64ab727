/** The data of a small bicycle shop for the demo account. It is made up, and the same on every machine. */

/** Deterministic pseudorandom numbers (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const workshop = {
  name: 'Workshop',
  sort: 20,
  is_main: false,
  is_unsorted_on: true,
  _embedded: {
    statuses: [
      { name: 'Brought in', sort: 10, color: '#d6eaff' },
      { name: 'Looked at', sort: 20, color: '#ffeab2' },
      { name: 'Waiting for parts', sort: 30, color: '#ffdbdb' },
      { name: 'Ready', sort: 40, color: '#deff81' },
    ],
  },
} as const

const sources = ['Shop window', 'Website', 'Friend', 'Fair', 'Newsletter']
/** The bicycles and their prices. */
export const prices = {
  'Aria City': 690,
  'Bora Cargo': 2_450,
  'Cima Road': 1_890,
  'Duna Gravel': 1_540,
  'Elan Kids': 320,
  'Faro Folding': 980,
  'Gala Electric': 2_790,
} as const
export const models = Object.keys(prices) as (keyof typeof prices)[]

const listed = (values: string[]) => values.map((value, i) => ({ value, sort: (i + 1) * 10 }))

export const leadFields = [
  { name: 'Model', type: 'select', code: 'MODEL', sort: 510, enums: listed(models) },
  { name: 'How they found us', type: 'select', code: 'SOURCE', sort: 520, enums: listed(sources) },
  { name: 'Frame size, cm', type: 'numeric', code: 'FRAME_SIZE', sort: 530 },
  { name: 'Wanted by', type: 'date', code: 'WANTED_BY', sort: 540 },
  { name: 'Old bicycle in part payment', type: 'checkbox', code: 'PART_PAYMENT', sort: 550 },
] as const

const firstNames = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Elena',
  'Filip',
  'Greta',
  'Hugo',
  'Inés',
  'Jonas',
  'Katia',
  'Luis',
  'Mara',
  'Nils',
  'Olga',
  'Pablo',
  'Rosa',
  'Sven',
  'Tania',
  'Ugo',
]
const lastNames = [
  'Almeida',
  'Berg',
  'Costa',
  'Dahl',
  'Ewald',
  'Ferro',
  'García',
  'Holm',
  'Ivanova',
  'Jansen',
  'Klein',
  'Lopes',
  'Moreau',
  'Novák',
  'Ortiz',
  'Petrova',
  'Quist',
  'Rossi',
  'Silva',
  'Tamm',
]
const companyNames = [
  'Courier Collective',
  'Green Post',
  'Hotel Miramar',
  'City Library',
  'Bakery Sol',
  'Harbour School',
  'Studio Nord',
  'Old Town Tours',
  'Fresh Box',
  'Clinic Aurora',
]
export const tags = ['regular', 'rental', 'present', 'second visit', 'needs advice', 'wholesale']

export type Random = () => number
export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

export const companies = companyNames.map((name, i) => ({
  name,
  custom_fields_values: [
    { field_code: 'PHONE', values: [{ value: `+34 910 000 ${String(100 + i)}`, enum_code: 'WORK' }] },
    { field_code: 'WEB', values: [{ value: `https://${name.toLowerCase().replaceAll(' ', '-')}.example` }] },
  ],
}))

/** A customer with a telephone number and usually an e-mail address. */
export function contact(random: Random, n: number) {
  const [first_name, last_name] = [pick(random, firstNames), pick(random, lastNames)]
  const mail = `${first_name}.${last_name}.${n}`
    .normalize('NFD')
    .replace(/[^\w.]/g, '')
    .toLowerCase()
  return {
    first_name,
    last_name,
    custom_fields_values: [
      {
        field_code: 'PHONE',
        values: [
          { value: `+34 600 ${String(100_000 + n * 37).slice(0, 3)} ${String(100 + n)}`, enum_code: 'MOB' },
        ],
      },
      ...(random() < 0.8
        ? [{ field_code: 'EMAIL', values: [{ value: `${mail}@mail.example`, enum_code: 'PRIV' }] }]
        : []),
    ],
  }
}

/** A new lead; `at` is its time in Unix seconds. */
export function lead(random: Random, at: number, isRepair: boolean) {
  const model = pick(random, models)
  const DAY = 86_400
  return {
    name: isRepair ? `${model}: ${pick(random, repairs)}` : model,
    price: isRepair ? 40 + Math.floor(random() * 20) * 10 : prices[model],
    custom_fields_values: [
      { field_code: 'MODEL', values: [{ value: model }] },
      { field_code: 'SOURCE', values: [{ value: pick(random, sources) }] },
      { field_code: 'FRAME_SIZE', values: [{ value: String(46 + Math.floor(random() * 9) * 2) }] },
      { field_code: 'WANTED_BY', values: [{ value: at + (7 + Math.floor(random() * 40)) * DAY }] },
      { field_code: 'PART_PAYMENT', values: [{ value: random() < 0.2 }] },
    ],
    ...(random() < 0.4 && { tags_to_add: [{ name: pick(random, tags) }] }),
  }
}

const repairs = ['service', 'brakes', 'gears', 'new tyres', 'lights']

export const taskTexts = [
  'Call back about the colour',
  'Send the offer',
  'Ask how the first ride was',
  'Order the frame',
  'Agree on a test ride',
  'Remind of the first service',
]
/** Ada's plans, and in how many days they are due. */
export const plans = [
  { text: 'Call back about the trailer', in_days: -1 },
  { text: 'Send the offer for the cargo bicycle', in_days: 0 },
  { text: 'Ask whether the frame fits', in_days: 0 },
  { text: 'Get the test ride ready', in_days: 0 },
  { text: 'Order the parts for the workshop', in_days: 1 },
  { text: 'Ask how the first ride was', in_days: 2 },
  { text: 'Remind of the first service', in_days: 4 },
  { text: 'Invite to the spring ride', in_days: 12 },
]

export const taskResults = [
  'Done, they are happy',
  'Left a message',
  'They will come on Saturday',
  'Not interested any more',
]

/** A note about a lead, usually a call. */
export function note(random: Random) {
  const phone = `+34 600 ${String(Math.floor(random() * 1_000)).padStart(3, '0')} 100`
  const kind = random()
  if (kind < 0.35)
    return {
      note_type: random() < 0.6 ? 'call_in' : 'call_out',
      params: { duration: 20 + Math.floor(random() * 400), source: 'Shop telephone', phone, call_status: 4 },
    }
  if (kind < 0.5) return { note_type: 'sms_out', params: { text: pick(random, messages), phone } }
  return { note_type: 'common', params: { text: pick(random, remarks) } }
}

const messages = [
  'Your bicycle is ready, we are open until seven.',
  'The frame has come. When do you want to see it?',
  'Thank you for your visit!',
]
const remarks = [
  'Rides to work every day, eleven kilometres, one steep hill.',
  'Wants it in green, would take blue.',
  'Comes with a daughter on Saturday.',
  'Has a hook for a trailer at the old one: ask whether it fits.',
  'Compares us with the shop at the harbour.',
  'Sent the picture of the parts that we talked about.',
]
