/** How the pushes of a channel are read: as the description has them, or as the live service takes them (C4). */
export type Protocol = 'spec' | 'live'

/** Members of `message` beside its type. */
export type MessageMember = 'text' | 'media' | 'location' | 'contact' | 'file_name' | 'file_size'

export interface MessageKind {
  /** What it requires, by protocol; null where the protocol does not know the kind. */
  spec: readonly MessageMember[] | null
  live: readonly MessageMember[]
  /** What is kept of it beside its text; the rest is no part of such a message. */
  holds: readonly MessageMember[]
}

const file = ['media', 'file_name', 'file_size'] as const

/** The kinds of messages that a provider pushes: the description's table, and beside it what the live service asks for. */
export const messageKinds = {
  text: { spec: ['text'], live: ['text'], holds: [] },
  picture: { spec: file, live: ['media'], holds: file },
  video: { spec: file, live: ['media'], holds: file },
  file: { spec: file, live: ['media'], holds: file },
  sticker: { spec: ['media'], live: ['media'], holds: file },
  location: { spec: ['location'], live: ['location'], holds: ['location'] },
  contact: { spec: ['contact'], live: ['contact'], holds: ['contact'] },
  voice: { spec: null, live: ['media'], holds: file },
  audio: { spec: null, live: ['media'], holds: file },
} as const satisfies Record<string, MessageKind>

export type MessageType = keyof typeof messageKinds

/** The kinds that a protocol knows, with what each requires there. */
export const kindsIn = (protocol: Protocol): [type: MessageType, required: readonly MessageMember[]][] =>
  Object.entries(messageKinds).flatMap(([type, kind]): [MessageType, readonly MessageMember[]][] => {
    const required = kind[protocol]
    return required === null ? [] : [[type as MessageType, required]]
  })
