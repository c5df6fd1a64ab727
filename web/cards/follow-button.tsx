import { Button } from '@mantine/core'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type FollowedKind,
  followedKey,
  followedOptions,
  followRecord,
  isFollowedKind,
} from '../data/following.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'

/** Lets the person follow the record: they get a notice when somebody else changes it. */
export function FollowButton() {
  const { collection, id, isTrashed } = useCard()
  return isFollowedKind(collection) && !isTrashed ? <Follow collection={collection} id={id} /> : null
}

function Follow({ collection, id }: { collection: FollowedKind; id: number }) {
  const { t } = useTranslation()
  const { data: followed } = useQuery(followedOptions)
  const change = useAction(followRecord(collection, id))
  if (!followed) return null
  const isFollowed = followed.has(followedKey(collection, id))
  const name = t(isFollowed ? 'card.followed' : 'card.follow')
  const Mark = isFollowed ? IconBellFilled : IconBell
  return (
    <Button
      variant="default"
      className={classes.chats}
      leftSection={<Mark size={16} stroke={1.7} aria-hidden />}
      aria-label={name}
      title={t(isFollowed ? 'card.followed_hint' : 'card.follow_hint')}
      onClick={() => change.run(!isFollowed)}
    >
      {name}
    </Button>
  )
}
