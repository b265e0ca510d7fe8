export const texts = {
  separated: 'Separated by spaces.',
  add: 'Add',
  item: 'Item',
  up: 'Move item {item} up',
  down: 'Move item {item} down',
  remove: 'Remove item {item}',
  choose: 'Choose',
  pick: 'Pick a colour: {field}',
  addLanguage: 'Add a language',
  removeLanguage: 'Remove {language}',
  json: 'As JSON.',
  noJson: 'This is not JSON yet: check quotes, commas and brackets.',
} as const
