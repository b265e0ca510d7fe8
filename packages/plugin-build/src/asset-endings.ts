const images = ['avif', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'webp']
const fonts = ['eot', 'otf', 'ttf', 'woff', 'woff2']
const media = ['aac', 'flac', 'm4a', 'mp3', 'mp4', 'oga', 'ogg', 'ogv', 'wav', 'webm']
/** Extensions of files that are neither code nor text: they are copied unchanged and get an address. */
export const assetEndings: readonly string[] = [...images, ...fonts, ...media, 'pdf', 'wasm', 'webmanifest']
