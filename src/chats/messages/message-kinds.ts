/** The format of the pushes of a channel: as specified, or as the live service accepts them (C4). */
export type Protocol = 'spec' | 'live'

/** Members of `message` beside its type. */
export type MessageMember = 'text' | 'media' | 'location' | 'contact' | 'file_name' | 'file_size'

export interface MessageKind {
  /** Required members by protocol; null if the protocol does not have the type. */
  spec: readonly MessageMember[] | null
  live: readonly MessageMember[]
  /** Members that are stored beside the text. The others are dropped. */
  holds: readonly MessageMember[]
}

const file = ['media', 'file_name', 'file_size'] as const

/** The types of pushed messages. */
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

/** The types of a protocol, each with its required members. */
export const kindsIn = (protocol: Protocol): [type: MessageType, required: readonly MessageMember[]][] =>
  Object.entries(messageKinds).flatMap(([type, kind]): [MessageType, readonly MessageMember[]][] => {
    const required = kind[protocol]
    return required === null ? [] : [[type as MessageType, required]]
  })

/** A message as its incoming lead shows it: its text, or the name of the file. */
export const shownText = (message: {
  type: string
  text?: string | null | undefined
  file_name?: string | null | undefined
}): string => message.text || message.file_name || message.type
