import { Button } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { chatsOfOptions } from '../data/chats.ts'
import { wordOf } from '../data/records.ts'
import { useFormat } from '../parts/texts/format.ts'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'

/** Collections that the inbox can be filtered by. */
const owners = { leads: 'lead', contacts: 'contact' } as const

/** Conversations that are read to count them. */
const MOST = 10

/** A link to the conversations of the record, if it has any. */
export function Conversations() {
  const { t } = useTranslation()
  const format = useFormat()
  const { collection, id, isTrashed } = useCard()
  const word = wordOf(collection)
  const of = word === 'leads' || word === 'contacts' ? owners[word] : undefined
  const { data: chats = [] } = useQuery({ ...chatsOfOptions(of ?? 'lead', id), enabled: of !== undefined })
  if (of === undefined || isTrashed || chats.length === 0) return null
  const words = t('card.conversations', {
    count: chats.length,
    shown: chats.length < MOST ? format.number(chats.length) : `${MOST}+`,
  })
  const search = of === 'lead' ? { lead: String(id) } : { contact: String(id) }
  return (
    <Button
      renderRoot={(props) => <Link to="/inbox" search={search} {...props} />}
      variant="default"
      className={classes.chats}
      leftSection={<IconMessages size={16} stroke={1.7} aria-hidden />}
      title={words}
    >
      {words}
    </Button>
  )
}
