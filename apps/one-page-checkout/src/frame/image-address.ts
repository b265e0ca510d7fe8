/** Where a picture of the settings is: an https address as it is, a path below where the plugin's pages begin. */
export function imageAddress(image: string, { basePath }: { basePath: string }): string {
  return image.startsWith('/') ? basePath.replace(/\/$/, '') + image : image
}
