import { ActionIcon, Group } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface RowButtonsProps {
  name: string
  onEdit?: () => void
  onRemove?: () => void
}

/** The edit and delete buttons of a row; without a handler there is no button. */
export function RowButtons({ name, onEdit, onRemove }: RowButtonsProps) {
  const { t } = useTranslation()
  return (
    <Group gap={2} wrap="nowrap" flex="none" ms="auto" justify="flex-end">
      {onEdit && (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onEdit}
          aria-label={t('sorting.edit', { name })}
          title={t('sorting.edit', { name })}
        >
          <IconPencil size={16} />
        </ActionIcon>
      )}
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onRemove}
          aria-label={t('sorting.remove', { name })}
          title={t('sorting.remove', { name })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}
